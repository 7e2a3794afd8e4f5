import { and, eq, or, type Predicate } from '../../lib/store/query.ts';
import { StoreError } from '../../lib/store/store.ts';
import { thenMaybe, type MaybePromise } from '../../lib/core/maybe-promise.ts';
import { toEpoch } from '../content/site-time.ts';
import type { PostBase } from './context.ts';

const PAGE = 100;
/** When a date that is none, written past the API, stands in front of the others. */
const LOOK_AGAIN_MS = 60_000;
const POSTS = ['posts'] as const;

/** Waiting for its moment. One without a moment, written past the API, never comes. */
const SCHEDULED: readonly Predicate[] = [eq('status', 'future'), { op: 'gt', field: 'date_gmt', value: '' }];

/** GMT as `date_gmt` has it: texts in the order of time. */
const toMoment = (now: number): string => new Date(now).toISOString().slice(0, 19);

/** Published, or due: a scheduled post is out from its moment on, whether or not somebody has noticed. `now`: epoch milliseconds. */
export function isOut(now: number): Predicate {
  const due: Predicate = { op: 'lte', field: 'date_gmt', value: toMoment(now) };
  return or(eq('status', 'publish'), and(...SCHEDULED, due));
}

/** Publishes posts whose date has come. Called before posts are read, so that no timer can be missed. */
export type PublishDue = () => MaybePromise<void>;

/**
 * Remembers when the next scheduled post is due until posts change, so that a read costs one comparison.
 * `nextDue`: epoch milliseconds; Infinity when nothing is scheduled. Answers must not be kept beyond it.
 */
export function createSchedule({ store, now }: Pick<PostBase, 'store' | 'now'>): { publishDue: PublishDue; nextDue: () => number } {
  let known = { look: 0, revision: -1, due: 0 };
  let looks = 0;

  const listScheduled = async (limit: number) => (await store.find({
    collection: 'posts', where: and(...SCHEDULED), order: [{ field: 'date_gmt', direction: 'asc' }], limit, fields: ['date_gmt'],
  })).records;

  const publishOne = async (id: number, version: number): Promise<void> => {
    try {
      await store.commit([{ op: 'update', collection: 'posts', id, values: { status: 'publish' }, version }]);
    } catch (error) {
      // Somebody else changed or published it at the same moment: it is looked at again with the next read.
      if (!(error instanceof StoreError) || (error.code !== 'version' && error.code !== 'missing')) throw error;
    }
  };

  /** Publishes what is due, a page at a time. @returns when the next one is due */
  const publishAll = async (): Promise<number> => {
    const moment = toMoment(now());
    // Nearly always the first one is not due yet, or there is none.
    for (let limit = 1; ; limit = PAGE) {
      const scheduled = await listScheduled(limit);
      // As texts, in the order of the list: a date that is none must not keep those behind it waiting.
      const due = scheduled.filter((post) => String(post['date_gmt']) <= moment);
      for (const post of due) await publishOne(post.id, post.version);
      const next = scheduled[due.length];
      if (next !== undefined) return toEpoch(String(next['date_gmt'])) || now() + LOOK_AGAIN_MS;
      if (scheduled.length < limit) return Infinity;
    }
  };

  return {
    nextDue: () => known.due,
    // The revision from before the look: what is written meanwhile is looked at with the next read.
    publishDue: () => thenMaybe(store.revision(POSTS), (revision) => {
      if (known.revision === revision && now() < known.due) return undefined;
      const look = ++looks;
      return publishAll().then((due) => {
        // Of two looks at once the one that began first may end last.
        if (look > known.look) known = { look, revision, due };
      });
    }),
  };
}
