import type { MaybePromise } from '../lib/core/maybe-promise.ts';
import { createPause } from '../lib/core/pause.ts';
import type { LogEvent } from '../lib/dispatch/runtime.ts';

interface Reading {
  readonly log: (event: LogEvent) => void;
  /** What is done with a record, for the log: `showing the pictures of post 7`. */
  readonly what: (id: number) => string;
}

/** What `make` gives for each record, in their order. A record for which it throws is logged and left out, and costs no other one. Others have their turn in between. */
export async function mapReadable<T extends { readonly id: number }, R>(records: readonly T[], make: (record: T) => MaybePromise<R>, { log, what }: Reading): Promise<readonly R[]> {
  const made: R[] = [];
  const pause = createPause();
  for (const record of records) {
    try {
      made.push(await make(record));
    } catch (error) {
      log({ level: 'error', message: `${what(record.id)} failed; it is left out`, error });
    }
    await pause();
  }
  return made;
}
