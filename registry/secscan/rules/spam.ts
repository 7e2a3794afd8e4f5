import { isHostOf, toAddressPart } from '../address.ts';
import { toPart } from '../part.ts';
import type { PostText, ScannedLink } from '../post-text.ts';
import type { PostRule, Scope } from '../rule.ts';

/** Fewer links than this are no spam, whatever their share of the text. */
const FEW = 5;

/** Links of a text to hosts that nobody vouches for. */
export function listStrangeLinks(post: PostText, { trusted }: Scope): readonly ScannedLink[] {
  return post.links.filter(({ url }) => !isHostOf(url.hostname, trusted));
}

/** Rules for link spam in one text; the rule for links that many texts share is `repeated-link`. */
export const spamRules: readonly PostRule[] = [
  {
    id: 'many-links', type: 'postSpam', severity: 50, message: 'The text links to other sites very often.',
    check: (post, scope) => {
      const { length } = listStrangeLinks(post, scope);
      return length > scope.settings['links.maxExternal'] ? [toPart(`${length} links`)] : [];
    },
  },
  {
    id: 'link-share', type: 'postSpam', severity: 50, message: 'The text is little more than links to other sites.',
    check: (post, scope) => {
      const links = listStrangeLinks(post, scope);
      const share = 100 * links.reduce((sum, link) => sum + link.length, 0) / Math.max(1, post.length);
      return links.length >= FEW && share > scope.settings['links.maxShare'] ? [toPart(`${Math.round(share)} % of the text`)] : [];
    },
  },
  {
    id: 'hidden-link', type: 'postSpam', severity: 50, message: 'The text links to another site where no reader sees it.',
    check: (post) => post.links.filter(({ hidden }) => hidden).map(({ url }) => toAddressPart(url)),
  },
  {
    id: 'crowded-text', type: 'postSpam', severity: 50, message: 'The text holds so many elements that only the first ones were looked at.',
    check: ({ crowded, elements }) => (crowded ? [toPart(`more than ${elements.length} elements`)] : []),
  },
];
