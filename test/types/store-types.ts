import { checkIfMatch } from '../../lib/http/etag.ts';
import type { Call } from '../../lib/route/call.ts';
import type { Predicate, Query } from '../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../lib/store/store.ts';

// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
/** What a handler has at hand goes into operations and queries as it is, also where it is undefined. */
export async function passOn(call: Call, record: StoredRecord, store: Store): Promise<void> {
  const version = checkIfMatch(call, record.version);
  await store.commit([
    { op: 'update', collection: 'entries', id: record.id, version, values: { stars: 4 } },
    { op: 'remove', collection: 'entries', id: record.id, version },
  ]);
}

export function narrow(where: Predicate | undefined, limit: number | undefined): Query {
  return {
    collection: 'entries',
    where,
    limit,
    offset: undefined,
    order: undefined,
    fields: undefined,
    total: undefined,
  };
}

/** Every way not to write one. */
export function listMistakes(): readonly unknown[] {
  // @ts-expect-error a misspelt member
  const misspelt: Query = { collection: 'entries', were: { op: 'and', of: [] } };
  // @ts-expect-error a version is a number
  const tagged: Operation = { op: 'remove', collection: 'entries', id: 1, version: '7' };
  return [misspelt, tagged];
}
