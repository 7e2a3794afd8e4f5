import type { Pause } from '../../../plugin.ts';
import { toAddressPart } from '../text/address.ts';
import { toExcerpt, type Excerpt } from '../text/excerpt.ts';
import type { PostText } from '../text/post-text.ts';
import type { RuleRow, Scope } from './rule.ts';
import { listStrangeLinks } from './spam.ts';

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
export interface LinkCount {
  add(post: PostText, scope: Scope): void;
  /** Every post with a link that at least `limit` posts contain, with these links. */
  list(limit: number, pause: Pause): Promise<ReadonlyMap<number, readonly Excerpt[]>>;
}

export function createLinkCount(): LinkCount {
  const posts = new Map<string, number[]>();
  let pairs = 0;
  return {
    add(post, scope) {
      for (const href of new Set(listStrangeLinks(post, scope).map(({ url }) => toAddressPart(url).shown))) {
        if (pairs >= MAX_PAIRS) return;
        pairs += 1;
        const known = posts.get(href);
        if (known === undefined) posts.set(href, [post.id]);
        else known.push(post.id);
      }
    },
    async list(limit, pause) {
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
