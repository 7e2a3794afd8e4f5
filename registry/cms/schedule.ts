import { and, eq } from '../../lib/query.ts';
import { StoreError } from '../../lib/store.ts';
import { toEpoch, toStamp } from '../content/site-time.ts';
import type { PostBase } from './context.ts';

const PAGE = 100;

/** Publishes posts whose date has come. Called before posts are read, so that no timer can be missed. */
export type PublishDue = () => Promise<void>;

/**
 * Remembers when the next scheduled post is due until posts change, so that a read costs one comparison.
 * `nextDue`: epoch milliseconds; Infinity when nothing is scheduled. Answers must not be kept beyond it.
 */
export function createSchedule({ store, now, settings }: PostBase): { publishDue: PublishDue; nextDue: () => number } {
  let known = { revision: -1, due: 0 };

  const listScheduled = async (limit: number) => (await store.find({
    collection: 'posts', where: and(eq('status', 'future')), order: [{ field: 'date_gmt', direction: 'asc' }], limit, fields: ['date_gmt'],
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
    const { date_gmt: nowGmt } = toStamp(now(), (await settings()).zone);
    for (;;) {
      const scheduled = await listScheduled(PAGE);
      const due = scheduled.filter((post) => String(post['date_gmt']) <= nowGmt);
      for (const post of due) await publishOne(post.id, post.version);
      const next = scheduled[due.length];
      if (next !== undefined) return toEpoch(String(next['date_gmt']));
      if (scheduled.length < PAGE) return Infinity;
    }
  };

  return {
    nextDue: () => known.due,
    async publishDue() {
      const revision = await store.revision(['posts']);
      if (known.revision === revision && now() < known.due) return;
      const due = await publishAll();
      known = { revision: await store.revision(['posts']), due };
    },
  };
}
