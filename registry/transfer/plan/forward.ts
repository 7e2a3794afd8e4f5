import { groupBy, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import { keepSiblings } from '../../core/translations/keep-siblings.ts';
import type { LeftOut } from '../items/item.ts';
import type { Forward, Ledger } from '../items/ledger.ts';
import { findRule, type ReferenceRule, replaceIds } from './references.ts';

/** References of one commit. */
const AT_ONCE = 200;

/** A reference and the id that takes its place. */
type Settled = Forward & { readonly rule: ReferenceRule; readonly stored: number };

/** The value with the ids of the store. All of its ids are replaced at once. A negative id of the source was written as 0, or left out of a list. */
function replaceIn(value: Json, { kind = 'id' }: ReferenceRule, settled: readonly Settled[]): Json {
  const ids = new Map(settled.map(({ ref, stored }) => [Math.max(ref, 0), stored]));
  if (kind === 'id' && value === 0) return ids.get(0) ?? 0;
  const replaced = replaceIds(kind, value, (id) => ids.get(id) ?? id);
  return Array.isArray(replaced)
    ? [
        ...(replaced as Json[]),
        ...settled.filter(({ ref, stored }) => ref < 0 && stored !== 0).map(({ stored }) => stored),
      ]
    : replaced;
}

function toOperation(
  record: StoredRecord,
  collection: string,
  settled: readonly Settled[],
): readonly Operation[] {
  const values: Record<string, Json> = {};
  // A field may have ids of several kinds.
  for (const [rule, refs] of groupBy(settled, (each) => each.rule))
    values[rule.field] = replaceIn(own(values, rule.field) ?? own(record, rule.field) ?? 0, rule, refs);
  const isSame = Object.entries(values).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(own(record, field)),
  );
  return isSame ? [] : [{ op: 'update', collection, id: record.id, values, version: record.version }];
}

/** The operations that correct these references, which belong to records of one collection. */
async function planCorrection(
  store: Store,
  collection: string,
  settled: readonly Settled[],
): Promise<readonly Operation[]> {
  const byId = groupBy(settled, ({ id }) => id);
  const { records } = await store.find({
    collection,
    where: oneOf('id', [...byId.keys()]),
    fields: [...new Set(settled.map(({ field }) => field))],
  });
  return records.flatMap((record) => toOperation(record, collection, byId.get(record.id) ?? []));
}

/** The end of a part of the references that begins here. References of one record stay together. */
function endOf(forward: readonly Forward[], from: number): number {
  let end = Math.min(from + AT_ONCE, forward.length);
  while (
    end < forward.length &&
    forward[end]?.id === forward[end - 1]?.id &&
    forward[end]?.collection === forward[end - 1]?.collection
  )
    end += 1;
  return end;
}

/**
 * Corrects references to records that were read later than the record that has them. A reference to a record that the source does not have
 * becomes 0 and is reported; `keepsIds`: it stays, because the store is a copy of the source; `dryRun`: nothing is written.
 */
export async function settleForward(
  store: Store,
  ledger: Ledger,
  { keepsIds, dryRun }: { readonly keepsIds: boolean; readonly dryRun: boolean },
): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const toSettled = (forward: Forward): readonly Settled[] => {
    const { collection, id, field, ref } = forward;
    const rule = findRule(collection, field, forward.to);
    if (rule === undefined) return [];
    const stored = ledger.find(rule.to, ref);
    if (stored === undefined && rule.loose !== true)
      leftOut.push({
        place: `${collection} ${id}: ${rule.to} ${ref}`,
        what: `${field} of ${collection}`,
        reason: `refers to ${rule.to} that are not in the source or were left out`,
      });
    const staysAsItIs = stored === undefined && (keepsIds || rule.loose === true);
    return stored === ref || staysAsItIs ? [] : [{ ...forward, rule, stored: stored ?? 0 }];
  };
  const { forward } = ledger;
  const done = dryRun ? forward.length : ledger.settled;
  for (const each of forward.slice(0, done)) toSettled(each);
  for (
    let from = done, end = endOf(forward, from);
    from < forward.length;
    from = end, end = endOf(forward, from)
  ) {
    const operations: Operation[] = [];
    for (const [collection, part] of groupBy(
      forward.slice(from, end).flatMap(toSettled),
      ({ collection }) => collection,
    ))
      operations.push(...(await planCorrection(store, collection, part)));
    if (operations.length === 0) continue;
    const entry = { ids: new Map(), groups: new Map(), forward: [], settled: end };
    await keepSiblings(store).commit([...operations, ledger.toOperation(entry)], 'later', { from: 'import' });
    ledger.add(entry);
  }
  return leftOut;
}
