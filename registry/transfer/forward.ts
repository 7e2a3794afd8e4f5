import { own } from '../../lib/core/objects.ts';
import { oneOf } from '../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../lib/store/store.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { LeftOut } from './item.ts';
import type { Forward, Ledger } from './ledger.ts';
import { REFERENCES, type ReferenceRule } from './references.ts';

/** Records of one commit. */
const AT_ONCE = 200;

type Settled = Forward & { readonly rule: ReferenceRule; readonly stored: number };

function toRule({ collection, field }: Forward): ReferenceRule | undefined {
  return own(REFERENCES, collection)?.find((rule) => rule.field === field);
}

/** The id in place of the one at the source, which was written first. An id that is negative at the source was not written. */
function replaceIn(value: Json, { ref, stored, rule }: Settled): Json {
  if (!rule.list || !Array.isArray(value)) return value === Math.max(ref, 0) ? stored : value;
  const others = value.filter((id) => id !== ref);
  return stored === 0 ? others : others.concat(stored);
}

function toOperation(record: StoredRecord, collection: string, settled: readonly Settled[]): readonly Operation[] {
  const fields = [...new Set(settled.map(({ field }) => field))];
  const values = Object.fromEntries(fields.map((field) => [field, settled.filter((each) => each.field === field).reduce<Json>((value, each) => replaceIn(value, each), own(record, field) ?? 0)]));
  const isSame = fields.every((field) => JSON.stringify(own(values, field)) === JSON.stringify(own(record, field)));
  return isSame ? [] : [{ op: 'update', collection, id: record.id, values, version: record.version }];
}

async function correct(store: Store, collection: string, settled: readonly Settled[]): Promise<void> {
  const byId = new Map<number, Settled[]>();
  for (const each of settled) byId.set(each.id, [...byId.get(each.id) ?? [], each]);
  const fields = [...new Set(settled.map(({ field }) => field))];
  const ids = [...byId.keys()];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const { records } = await store.find({ collection, where: oneOf('id', ids.slice(from, from + AT_ONCE)), fields });
    const operations = records.flatMap((record) => toOperation(record, collection, byId.get(record.id) ?? []));
    if (operations.length > 0) await store.commit(operations, 'later');
  }
}

/**
 * Corrects references to records that were read later than the record that has them. A reference to a record that the source does not have
 * becomes 0 and is reported; `keepsIds`: it stays, because the store is a copy of the source.
 */
export async function settleForward(store: Store, ledger: Ledger, keepsIds: boolean): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const settled = new Map<string, Settled[]>();
  for (const forward of ledger.forward) {
    const rule = toRule(forward);
    if (rule === undefined) continue;
    const { collection, id, field, ref } = forward;
    const stored = ledger.find(rule.to, ref);
    if (stored === undefined) leftOut.push({ place: `${collection} ${id}`, what: `${field} of ${collection}`, reason: `${rule.to} ${ref} is not in the source` });
    if (stored === ref || (stored === undefined && keepsIds)) continue;
    const list = settled.get(collection) ?? [];
    list.push({ ...forward, rule, stored: stored ?? 0 });
    settled.set(collection, list);
  }
  for (const [collection, list] of settled) await correct(store, collection, list);
  return leftOut;
}
