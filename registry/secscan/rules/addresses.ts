import { isExternal, isHostOf, isIpHost, isLookAlike, toAddressPart } from '../address.ts';
import type { Part } from '../part.ts';
import type { ScannedAddress } from '../post-text.ts';
import type { PostRule, RuleRow, Scope } from '../rule.ts';

/** A rule about one http or https address. */
export interface AddressRule extends Omit<RuleRow, 'type'> {
  readonly isBad: (address: ScannedAddress & { readonly url: URL }, scope: Scope) => boolean;
}

/** Rules about single addresses, in texts and in settings. */
export const ADDRESS_RULES: readonly AddressRule[] = [
  { id: 'blocked-host', severity: 75, message: 'An address points to a blocked host.', isBad: ({ url }, { blocked }) => isHostOf(url.hostname, blocked) },
  { id: 'ip-host', severity: 75, message: 'An address uses an IP address instead of a host name.', isBad: (address, scope) => isStrange(address, scope) && isIpHost(address.url.hostname) },
  { id: 'look-alike-host', severity: 75, message: 'An address imitates the name of this site.', isBad: (address, scope) => isStrange(address, scope) && isLookAlike(address.url.hostname, scope.own) },
  { id: 'shortened', severity: 25, message: 'A shortened address hides its target.', isBad: (address, scope) => isStrange(address, scope) && isHostOf(address.url.hostname, scope.shorteners) },
  { id: 'credentials', severity: 75, message: 'An address contains a user name or a password.', isBad: ({ url }) => url.username !== '' || url.password !== '' },
  { id: 'insecure-content', severity: 25, message: 'A secure page loads something over an insecure connection.', isBad: ({ url, loaded }, { own }) => own.secure && loaded && url.protocol === 'http:' },
];

function isStrange({ url }: { readonly url: URL }, { own, trusted }: Scope): boolean {
  return isExternal(url, own) && !isHostOf(url.hostname, trusted);
}

/** The addresses that break the rule. */
export function findBadAddresses(rule: Pick<AddressRule, 'isBad'>, addresses: readonly ScannedAddress[], scope: Scope): readonly Part[] {
  return addresses.flatMap((address) => {
    const { url } = address;
    return url !== null && rule.isBad({ ...address, url }, scope) ? [toAddressPart(url)] : [];
  });
}

/** The same rules for the addresses of a text. */
export const addressRules: readonly PostRule[] = ADDRESS_RULES.map((rule) => ({
  id: rule.id, type: 'postBadURL', severity: rule.severity, message: rule.message,
  check: (post, scope) => findBadAddresses(rule, post.addresses, scope),
}));
