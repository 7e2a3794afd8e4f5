import { RecordList } from '../../../lib/http/record-list.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { FindResult, StoredRecord } from '../../../lib/store/store.ts';
import type { KindDeps } from '../post-views/post-deps.ts';
import { toRevision } from '../records/post-record.ts';
import { toRevisionRepresentation } from './revision-view.ts';

/** Shows revisions or autosaves that were found without their long texts. The texts are read one record at a time. `as`: the context. `from`: number of those before them; null: there are no pages. */
export async function listRevisionViews(
  { store, kind, log, settings: readSettings }: KindDeps,
  call: Call,
  { found, as, from }: { found: FindResult; as: string; from: number | null },
): Promise<RecordList<StoredRecord>> {
  const settings = await readSettings();
  const incomplete = new Set(found.incomplete);
  return new RecordList(
    found.records,
    async (record, fields) => {
      const whole = incomplete.has(record.id) ? await store.get('revisions', record.id) : record;
      return whole === null
        ? undefined
        : toRevisionRepresentation(
            { revision: toRevision(whole), kind, call, log, context: as, settings },
            fields,
          );
    },
    from,
  );
}
