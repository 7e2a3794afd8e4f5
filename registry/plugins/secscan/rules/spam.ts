import { findDisguised, SPAM_PHRASES } from '../lists/spam-phrases.ts';
import { isHostOf, isPrivateHost, toAddressPart } from '../text/address.ts';
import { toExcerpt } from '../text/excerpt.ts';
import type { PostText, ScannedLink } from '../text/post-text.ts';
import type { PostRule, Scope } from './rule.ts';

/** Fewer links than this are not spam, whatever their share of the text. */
const FEW = 5;

/** Links to hosts that are neither trusted nor private. */
export function listStrangeLinks(post: PostText, { trusted }: Scope): readonly ScannedLink[] {
  return post.links.filter(({ url }) => !isHostOf(url.hostname, trusted) && !isPrivateHost(url.hostname));
}

/** Rules about link spam in one text. The rule about links that many texts share is `repeated-link`. */
export const spamRules: readonly PostRule[] = [
  {
    id: 'many-links',
    type: 'postSpam',
    severity: 50,
    message: 'The text links to other sites too often.',
    check: (post, scope) => {
      const { length } = listStrangeLinks(post, scope);
      return length > scope.settings['links.maxExternal'] ? [toExcerpt(`${length} links`)] : [];
    },
  },
  {
    id: 'link-share',
    type: 'postSpam',
    severity: 50,
    message: 'The text is little more than links to other sites.',
    check: (post, scope) => {
      const links = listStrangeLinks(post, scope);
      const share = (100 * links.reduce((sum, link) => sum + link.length, 0)) / Math.max(1, post.length);
      return links.length >= FEW && share > scope.settings['links.maxShare']
        ? [toExcerpt(`${Math.round(share)} % of the text`)]
        : [];
    },
  },
  {
    id: 'hidden-link',
    type: 'postSpam',
    severity: 50,
    message: 'The text links to another site where readers cannot see it.',
    check: (post) => post.links.filter(({ hidden }) => hidden).map(({ url }) => toAddressPart(url)),
  },
  {
    id: 'spam-phrase',
    type: 'postSpam',
    severity: 50,
    message: 'The text contains advertising that is typical for hijacked sites.',
    check: ({ words }) => {
      const disguised = findDisguised(words);
      return [
        ...(disguised === undefined ? [] : [toExcerpt(`a disguised medicine: ${disguised}`)]),
        ...SPAM_PHRASES.flatMap(({ about, pattern }) => {
          const [found] = pattern.exec(words) ?? [];
          return found === undefined ? [] : [toExcerpt(`${about}: ${found}`)];
        }),
      ];
    },
  },
  {
    id: 'crowded-text',
    type: 'postSpam',
    severity: 50,
    message: 'The text contains so many elements that only the first ones were scanned.',
    check: ({ crowded, elements }) => (crowded ? [toExcerpt(`more than ${elements.length} elements`)] : []),
  },
];
