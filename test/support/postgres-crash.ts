import { setTimeout as pause } from 'node:timers/promises';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { contractCollections as collections } from '../../adapters/stores/contract/collections.ts';
import { type Operation, type Store, type StoredRecord, StoreError } from '../../lib/store/store.ts';
import type { ServerControl, TestPostgres } from './postgres.ts';
import { untilDone } from './until.ts';

const WRITERS = 6;
/** The other writers flush so many commits at once, as a batch does. */
const SINGLE_WRITERS = 2;
const BATCH = 5;

/** Result of server crashes. `lost`, `happened`, `half` and `surprises` should be empty or 0. */
export interface ServerCrashes {
  acknowledged: number;
  /** Number of commits that failed with `unavailable`, and how many of them were applied nevertheless, which should be none. */
  refused: number;
  happened: number;
  /** Commits that others saw before they were to be durable, and that a crash undid. Their flush failed. */
  undone: number;
  lost: number;
  half: number;
  /** Errors other than `unavailable` and `unknown`. */
  surprises: string[];
}

/** `ids`: what each id was given to. */
interface Log {
  readonly acknowledged: Set<string>;
  readonly refused: Set<string>;
  readonly seen: Set<string>;
  readonly ids: Map<number, string>;
}

interface Writing {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly size: number;
}

function toCommit(title: string): readonly Operation[] {
  return [
    { op: 'create', collection: 'articles', as: 'article', values: { title, slug: title, tags: [1, 2] } },
    { op: 'create', collection: 'notes', values: { article: { $ref: 'article' }, text: title } },
  ];
}

/** Commits that are flushed together; a single one is durable at once. As in a batch, one that fails does not stop the others. @returns the titles of those that succeeded */
async function writeTogether(
  store: Store,
  titles: readonly string[],
  { seen, ids, refused }: Log,
): Promise<readonly string[]> {
  const began = performance.now();
  const made: string[] = [];
  for (const title of titles) {
    const [record] = await store
      .commit(toCommit(title), titles.length === 1 ? 'now' : 'later')
      .catch(async (error: unknown) => {
        if (!(error instanceof StoreError) || !['unavailable', 'unknown'].includes(error.code)) throw error;
        if (error.code === 'unavailable') refused.add(title);
        await pause(titles.length === 1 ? 10 : 100);
        return [];
      });
    if (record === undefined) continue;
    const { id } = record as StoredRecord;
    if (ids.has(id)) throw new Error(`The id ${id} was given twice.`);
    ids.set(id, title);
    seen.add(title);
    made.push(title);
  }
  await store.flush(began);
  return made;
}

async function writeOn(store: Store, outcome: ServerCrashes, { log, signal, size }: Writing): Promise<void> {
  while (!signal.aborted) {
    const titles = Array.from({ length: size }, () => `${Math.random()}`);
    try {
      for (const title of await writeTogether(store, titles, log)) log.acknowledged.add(title);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable')
        outcome.surprises.push(String(error));
      await pause(10);
    }
  }
}

async function inspect(store: Store, log: Log, outcome: ServerCrashes): Promise<void> {
  const { records: articles } = await store.find({
    collection: 'articles',
    fields: ['title'],
    where: { op: 'gt', field: 'id', value: 1 },
  });
  const { records: notes } = await store.find({ collection: 'notes', fields: ['article', 'text'] });
  const titles = new Map(articles.map((article) => [article.id, String(article['title'])]));
  const found = new Set(titles.values());
  outcome.lost = [...log.acknowledged].filter((title) => !found.has(title)).length;
  outcome.happened = [...log.refused].filter((title) => found.has(title)).length;
  outcome.undone = [...log.seen].filter((title) => !found.has(title)).length;
  outcome.half =
    notes.filter((note) => titles.get(Number(note['article'])) !== note['text']).length +
    Math.abs(articles.length - notes.length);
}

/** Stops the server under write load as a crash would, `rounds` times. Each time it checks what the store still has; the store stays open throughout. */
export async function crashServer(
  { url, control }: TestPostgres & { readonly control: ServerControl },
  rounds: number,
): Promise<ServerCrashes> {
  const outcome: ServerCrashes = {
    acknowledged: 0,
    refused: 0,
    happened: 0,
    undone: 0,
    lost: 0,
    half: 0,
    surprises: [],
  };
  const log: Log = { acknowledged: new Set(), refused: new Set(), seen: new Set(), ids: new Map() };
  const store = await createPostgresStore({ url, collections });
  await store.commit([{ op: 'create', collection: 'articles', values: {} }]);
  for (let round = 0; round < rounds; round += 1) {
    const end = new AbortController();
    const writers = Array.from({ length: WRITERS }, (_each, at) =>
      writeOn(store, outcome, {
        log,
        signal: end.signal,
        size: at < SINGLE_WRITERS * (round % 2) ? 1 : BATCH,
      }),
    );
    await pause(100 + Math.random() * 300);
    await control.stop('immediate');
    await control.start();
    await untilDone(
      () => store.commit([{ op: 'update', collection: 'articles', id: 1, values: {} }]),
      'the store',
    );
    end.abort();
    await Promise.all(writers);
    await inspect(store, log, outcome);
  }
  await store.close();
  return { ...outcome, acknowledged: log.acknowledged.size, refused: log.refused.size };
}
