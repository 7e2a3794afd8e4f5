import type { Pause } from '../../../plugin.ts';
import { SOFTWARE_HOSTS } from '../settings/known-hosts.ts';
import {
  type Excerpt,
  isExternal,
  isHostOf,
  isIpHost,
  isLookAlike,
  isPrivateHost,
  toAddressPart,
  toExcerpt,
} from '../text/address.ts';
import { borrowsBrand, imitatesBrand } from '../text/look-alike.ts';
import type { PostText, ScannedAddress } from '../text/post-text.ts';
import type { PostRule, RuleRow, Scope } from './rule.ts';
import { listStrangeLinks } from './spam.ts';

/** A rule about one http or https address. */
export interface AddressRule extends Omit<RuleRow, 'type'> {
  readonly isBad: (address: ReadAddress, scope: Scope) => boolean;
}

/** An address that is one. */
type ReadAddress = ScannedAddress & { readonly url: URL };

const isRead = (address: ScannedAddress): address is ReadAddress => address.url !== null;

/** Rules about single addresses, in texts and in settings. */
export const ADDRESS_RULES: readonly AddressRule[] = [
  {
    id: 'blocked-host',
    severity: 75,
    message: 'An address points to a blocked host.',
    isBad: ({ url }, { blocked }) => isHostOf(url.hostname, blocked),
  },
  {
    id: 'ip-host',
    severity: 75,
    message: 'An address uses an IP address instead of a host name.',
    isBad: (address, scope) => isStrange(address, scope) && isIpHost(address.url.hostname),
  },
  {
    id: 'brand-host',
    severity: 75,
    message: 'An address imitates or borrows the name of a well-known brand.',
    isBad: (address, scope) =>
      isStrange(address, scope) &&
      (imitatesBrand(address.url.hostname) || borrowsBrand(address.url.hostname)),
  },
  {
    id: 'program',
    severity: 50,
    message: 'A link leads to a program of another site.',
    isBad: (address, scope) => address.link && isStrange(address, scope) && isProgram(address.url),
  },
  {
    id: 'look-alike-host',
    severity: 75,
    message: 'An address imitates the name of this site.',
    isBad: (address, scope) => isStrange(address, scope) && isLookAlike(address.url.hostname, scope.own),
  },
  {
    id: 'shortened',
    severity: 25,
    message: 'A shortened address hides its target.',
    isBad: (address, scope) => isStrange(address, scope) && isHostOf(address.url.hostname, scope.shorteners),
  },
  {
    id: 'credentials',
    severity: 75,
    message: 'An address contains a user name or a password.',
    isBad: ({ url }) => url.username !== '' || url.password !== '',
  },
  {
    id: 'insecure-content',
    severity: 25,
    message: 'A secure page loads something over an insecure connection.',
    isBad: ({ url, loaded }, { own }) =>
      own.secure && loaded && url.protocol === 'http:' && !isPrivateHost(url.hostname),
  },
];

/** Files that run when they are opened, behind whatever other ending: `invoice.pdf.exe`. */
const PROGRAM =
  /\.(?:apk|appx|bat|cmd|cpl|dmg|exe|hta|jar|jse|lnk|msi|msix|pif|pkg|ps1|scr|vbe|vbs|wsf|xll)$/i;

function isProgram({ hostname, pathname }: URL): boolean {
  return PROGRAM.test(pathname) && !isHostOf(hostname, SOFTWARE_HOSTS);
}

/** An address of neither this site, nor a trusted one, nor the reader's own network. */
function isStrange({ url }: { readonly url: URL }, { own, trusted }: Scope): boolean {
  return isExternal(url, own) && !isHostOf(url.hostname, trusted) && !isPrivateHost(url.hostname);
}

/** The addresses that break the rule. */
export function findBadAddresses(
  rule: Pick<AddressRule, 'isBad'>,
  addresses: readonly ScannedAddress[],
  scope: Scope,
): readonly Excerpt[] {
  return addresses
    .filter(isRead)
    .filter((address) => rule.isBad(address, scope))
    .map(({ url }) => toAddressPart(url));
}

/** The same rules for the addresses of a text. */
export const addressRules: readonly PostRule[] = ADDRESS_RULES.map((rule) => ({
  id: rule.id,
  type: 'postBadURL',
  severity: rule.severity,
  message: rule.message,
  each: 'addresses',
  check: (post, scope) => findBadAddresses(rule, post.addresses, scope),
}));

/** The only rule that needs all posts: the same link in very many of them. */
export const REPEATED_LINK: RuleRow = {
  id: 'repeated-link',
  type: 'postSpam',
  severity: 50,
  message: 'The text contains a link that is in very many texts.',
};

/** Maximum number of remembered pairs of link and post. Further pairs are not counted. */
const MAX_PAIRS = 200_000;

/** Counts the posts that contain each external link. */
export function createLinkCount() {
  const posts = new Map<string, number[]>();
  let pairs = 0;
  return {
    add(post: PostText, scope: Scope): void {
      for (const href of new Set(listStrangeLinks(post, scope).map(({ url }) => toAddressPart(url).shown))) {
        if (pairs >= MAX_PAIRS) return;
        pairs += 1;
        const known = posts.get(href);
        if (known === undefined) posts.set(href, [post.id]);
        else known.push(post.id);
      }
    },
    /** Every post with a link that at least `limit` posts contain, with these links. */
    async list(limit: number, pause: Pause): Promise<ReadonlyMap<number, readonly Excerpt[]>> {
      const found = new Map<number, Excerpt[]>();
      for (const [href, ids] of posts) {
        if (ids.length < limit) continue;
        for (const id of ids) {
          const links = found.get(id);
          if (links === undefined) found.set(id, [toExcerpt(href)]);
          else links.push(toExcerpt(href));
        }
        await pause();
      }
      return found;
    },
  };
}

export type LinkCount = ReturnType<typeof createLinkCount>;
