import { createRandom } from '../../support/random.ts';
import type { Asked } from '../asked.ts';
import { AUTHORS, CATEGORIES } from '../corpus.ts';
import { BASE } from '../peers/peer.ts';
import { AS_ADMIN } from './login.ts';

export type Kind = 'list' | 'read' | 'update';

/** One request of the mix. `written`: what an acknowledged update stores. */
export interface Mixed {
  readonly kind: Kind;
  readonly asked: Asked;
  readonly written?: Written;
}

export interface Written {
  readonly post: number;
  readonly title: string;
}

/** The posts that the requests use. Different values of `seed` give different titles. */
export interface MixPlan {
  readonly posts: number;
  readonly seed: number;
}

export const POSTS = `${BASE}/cms/v2/posts`;

export const KINDS: readonly Kind[] = ['list', 'read', 'update'];
/** Shares of all requests. */
export const SHARES: Readonly<Record<Kind, number>> = { list: 0.4, read: 0.4, update: 0.2 };
const DRAWN = KINDS.flatMap((kind) => Array.from({ length: SHARES[kind] * 10 }, () => kind));
const PER_PAGE = 10;

/** An endless sequence of requests. Most lists must be created anew, because there are many of them and every update changes them. */
export function createMix({ posts, seed }: MixPlan): () => Mixed {
  const random = createRandom(seed);
  let number = 0;
  const toId = (): number => 1 + random.below(posts);
  const makers: Readonly<Record<Kind, () => Mixed>> = {
    list: () => {
      const filter = random.pick([
        '',
        `&categories=${1 + random.below(CATEGORIES)}`,
        `&author=${1 + random.below(AUTHORS)}`,
      ]);
      return {
        kind: 'list',
        asked: {
          target: `${POSTS}?per_page=${PER_PAGE}&page=${1 + random.below(posts / PER_PAGE / CATEGORIES)}${filter}`,
        },
      };
    },
    read: () => ({ kind: 'read', asked: { target: `${POSTS}/${toId()}` } }),
    update: () => {
      const written = { post: toId(), title: `Tide ${seed}-${(number += 1)}` };
      return {
        kind: 'update',
        written,
        asked: {
          method: 'POST',
          target: `${POSTS}/${written.post}`,
          headers: AS_ADMIN,
          body: { title: { raw: written.title } },
        },
      };
    },
  };
  return () => makers[random.pick(DRAWN)]();
}
