import { eq, StoreError, type LogEvent, type Store } from '../../../lib/index.ts';

const FRESH_MS = 5000;
const PATIENCE_MS = 2000;
const NAME = 'healthz';

/** Writes a record that no response shows. @throws StoreError if the store takes no writes */
async function writeOnce(store: Store): Promise<void> {
  const {
    records: [found],
  } = await store.find({ collection: 'locks', where: eq('name', NAME), limit: 1 });
  const values = {
    name: NAME,
    key: '',
    expires: (Number(found?.['expires'] ?? 0) + 1) % Number.MAX_SAFE_INTEGER,
  };
  await store.commit([
    found === undefined
      ? { op: 'create', collection: 'locks', values }
      : { op: 'update', collection: 'locks', id: found.id, values },
  ]);
}

/** Whether another process created the record at the same time: then the store takes writes. */
const isRace = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'unique' || error.code === 'missing');

/** Resolves after the time that a healthy store needs at most. */
function wait(): { readonly over: Promise<false>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false);
  });
  return { over, stop: () => clearTimeout(timer) };
}

/**
 * Returns a function that tells whether the store takes writes now. It writes at most once in 5 s, however often it is called, and
 * gives up after 2 s. The reason of a failure goes to the log alone.
 */
export function createHealth(store: Store, log: (event: LogEvent) => void): () => Promise<boolean> {
  let [last, asked]: [Promise<boolean> | null, number] = [null, 0];
  const ask = async (): Promise<boolean> => {
    const patience = wait();
    const written = writeOnce(store).then(
      () => true,
      (error: unknown) => {
        if (isRace(error)) return true;
        log({ level: 'error', message: 'the store takes no writes', error });
        return false;
      },
    );
    const isHealthy = await Promise.race([written, patience.over]);
    patience.stop();
    return isHealthy;
  };
  return () => {
    const now = performance.now();
    if (last === null || now - asked > FRESH_MS) [last, asked] = [ask(), now];
    return last;
  };
}
