// Compiled, never run: the types that are needed to write what the library asks for are exported by its entry.
import type { Dependencies, RecordKey, ResponseOptions, Store } from '../../lib/index.ts';

export function toOptions(dependsOn: Dependencies): ResponseOptions {
  return { dependsOn };
}

export const versions: Store['versions'] = (records: readonly RecordKey[]) =>
  records.map(([collection, id]) => collection.length + id);
