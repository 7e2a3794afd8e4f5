import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { runWithSource } from '../../../lib/store/change-source.ts';
import { and, asc, eq, gt, lte, or, type Predicate } from '../../../lib/store/query.ts';
import { isRace, type StoredRecord, toUpdate } from '../../../lib/store/store.ts';
import { toEpoch, toTimeText } from '../content/site-time.ts';
import { repeat, rest, runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';
import { runLocked } from '../limits/locks.ts';

const PAGE = 100;
/** Interval for the case that the next post has an invalid date, which can only be written past the API. */
const LOOK_AGAIN_MS = 60_000;
const POSTS = ['posts'] as const;
/** Nobody asked for it now. */
const SOURCE = { by: 0, from: 'schedule', request: '' } as const;

/** Scheduled posts. A post without a date, which can only be written past the API, is never due. */
const SCHEDULED: readonly Predicate[] = [eq('status', 'future'), gt('date_gmt', '')];

/** Published, or scheduled and due: a scheduled post is public from its date on, even before its status is updated. `now`: epoch milliseconds. */
export function isOut(now: number): Predicate {
  const due: Predicate = lte('date_gmt', toTimeText(now));
  return or(eq('status', 'publish'), and(...SCHEDULED, due));
}

/** Publishes posts whose date has come. Called before posts are read, so it does not depend on a timer. */
export type PublishDue = () => MaybePromise<void>;

/** Scheduled posts. `publishDue`: publishes those whose date has come. `nextDue`: epoch milliseconds; Infinity if nothing is scheduled. Responses must not be cached beyond it. */
export interface Schedule {
  readonly publishDue: PublishDue;
  readonly nextDue: () => number;
  /** Reads when the next post is due, and publishes nothing. */
  readonly findNext: () => Promise<number>;
}

/**
 * Caches when the next scheduled post is due until posts change, so that a read costs one comparison.
 */
export function createSchedule({ store, now }: Pick<Ports, 'store' | 'now'>): Schedule {
  let known = { look: 0, revision: -1, due: 0 };
  let looks = 0;

  const listScheduled = async (limit: number) =>
    (
      await store.find({
        collection: 'posts',
        where: and(...SCHEDULED),
        order: [asc('date_gmt')],
        limit,
        fields: ['date_gmt'],
      })
    ).records;

  const publish = async (posts: readonly StoredRecord[]): Promise<void> => {
    const values = { status: 'publish' };
    try {
      await store.commit(
        posts.map((post) => toUpdate('posts', post, values)),
        'now',
        SOURCE,
      );
    } catch (error) {
      if (!isRace(error)) throw error;
      // Another writer changed or published one of them at the same time. The next read checks it again.
      if (posts.length > 1) for (const post of posts) await publish([post]);
    }
  };

  const dueAt = (post: StoredRecord | undefined): number =>
    post === undefined ? Infinity : toEpoch(String(post['date_gmt'])) || now() + LOOK_AGAIN_MS;

  /** Publishes what is due, a page at a time. @returns when the next post is due */
  const publishAll = async (): Promise<number> => {
    const moment = toTimeText(now());
    // Usually the first post is not due yet, or there is none.
    for (let limit = 1; ; limit = PAGE) {
      const scheduled = await listScheduled(limit);
      // Compared as text, in the order of the list. An invalid date must not block the posts behind it.
      const due = scheduled.filter((post) => String(post['date_gmt']) <= moment);
      if (due.length > 0) await publish(due);
      const next = scheduled[due.length];
      if (next !== undefined || scheduled.length < limit) return dueAt(next);
    }
  };

  return {
    nextDue: () => known.due,
    findNext: async () => dueAt((await listScheduled(1))[0]),
    // The revision is read before the posts, so that the next read notices a write in between.
    publishDue: () =>
      thenMaybe(store.revision(POSTS), (revision) => {
        if (known.revision === revision && now() < known.due) return undefined;
        const look = ++looks;
        return publishAll().then((due) => {
          // Of two concurrent runs, the one that started first may end last.
          if (look > known.look) known = { look, revision, due };
        });
      }),
  };
}

const LOCK = 'posts.schedule';
/** How soon another process goes on when the one that publishes has crashed. */
const LEASE_MS = 6000;
/** Least time between two looks, so that many writes do not cost a query each. */
const REST_MS = 200;
/** Longest wait of a timer. The clock may be set, and the computer may sleep. */
const LONGEST_MS = 60_000;

async function publishOnTime(ports: Ports, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const { changes, now } = ports;
  while (!signal.aborted) {
    const seen = await changes.revision();
    const wait = (await schedule.findNext()) - now();
    if (wait <= 0)
      await runLocked(ports, { name: LOCK, ttlMs: LEASE_MS, signal }, async () => schedule.publishDue());
    const woken = new AbortController();
    const options = { signal: AbortSignal.any([signal, woken.signal]), background: true };
    const timer = wait <= 0 ? REST_MS : Math.min(wait, LONGEST_MS);
    await Promise.race([changes.until(seen, options), rest(timer, options.signal)]);
    woken.abort();
    if (wait > REST_MS) await rest(REST_MS, signal);
  }
}

/**
 * Publishes scheduled posts at their time until the site is closed, also when nobody reads. One process of the site does it at a
 * time. Reads do not depend on it: they publish what is due themselves.
 */
export function watchSchedule(ports: Ports, schedule: Schedule): void {
  const message = 'scheduled posts could not be looked for';
  runLater(ports, 'publishing scheduled posts', (signal) =>
    repeat(ports.log, { signal, restMs: LEASE_MS, message }, () =>
      runWithSource(SOURCE, () => publishOnTime(ports, schedule, signal)),
    ),
  );
}
