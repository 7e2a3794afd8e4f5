import { type Predicate, type Store, type StoredRecord, and } from '../../../../lib/index.ts';

/** Which records to read. */
export interface Walk {
  readonly collection: string;
  readonly where?: Predicate;
  readonly fields?: readonly string[];
}

/** Number of records per read: even ten of the largest posts are read in a few milliseconds. */
const PAGE = 10;

/** Reads every matching record in the order of ids, a few at a time. Records that are added meanwhile come last. */
export async function* walkRecords(
  store: Store,
  { collection, where, fields }: Walk,
): AsyncGenerator<StoredRecord> {
  for (let after = 0; ;) {
    const later: Predicate = { op: 'gt', field: 'id', value: after };
    const { records } = await store.find({
      collection,
      where: where === undefined ? later : and(later, where),
      order: [{ field: 'id', direction: 'asc' }],
      limit: PAGE,
      ...(fields === undefined ? {} : { fields }),
    });
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) return;
    after = last.id;
  }
}
