import type { Server, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { countOne } from '../../../lib/core/objects.ts';
import { eq, findFirst, type LogEvent, type Store, StoreError } from '../../../lib/index.ts';

/** Upper bounds of the times of requests, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
/** Methods that are counted by name, so that a caller cannot make further series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Figures of a server in the text format of Prometheus (version 0.0.4). */
interface Metrics {
  readonly type: 'text/plain; version=0.0.4';
  /** `isHealthy`: whether the store takes writes. */
  toText(isHealthy: boolean): string;
}

/** A figure, and its samples: what follows its name, and the value. */
interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly (readonly [suffix: string, value: number])[];
}

const writeFamily = ({ name, type, help, samples }: Family): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([suffix, value]) => `${name}${suffix} ${value}`),
    '',
  ].join('\n');

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: 'gauge',
  help,
  samples: [['', value]],
});

/** Counts the requests of a server, and returns what a scrape reads. */
export function countRequests(server: Server): Metrics {
  const requests = new Map<string, number>();
  const buckets = BOUNDS.map(() => 0);
  let [inFlight, count, seconds] = [0, 0, 0];
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  server.once('close', () => delay.disable());
  server.prependListener('request', ({ method = '' }: { method?: string }, response: ServerResponse) => {
    const started = performance.now();
    inFlight += 1;
    response.once('close', () => {
      const took = (performance.now() - started) / 1000;
      const status = response.writableFinished ? response.statusCode : 499;
      countOne(requests, `{method="${METHODS.has(method) ? method : 'other'}",status="${status}"}`);
      for (const [at, bound] of BOUNDS.entries()) if (took <= bound) buckets[at] = (buckets[at] ?? 0) + 1;
      [inFlight, count, seconds] = [inFlight - 1, count + 1, seconds + took];
    });
  });
  const toText = (isHealthy: boolean): string => {
    const { user, system } = process.cpuUsage();
    const families: readonly Family[] = [
      {
        name: 'http_requests_total',
        type: 'counter',
        help: 'Requests by method and status; 499: the client left.',
        samples: [...requests],
      },
      {
        name: 'http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the head of a request to the end of its response.',
        samples: [
          ...BOUNDS.map((bound, at) => [`_bucket{le="${bound}"}`, buckets[at] ?? 0] as const),
          ['_bucket{le="+Inf"}', count],
          ['_sum', seconds],
          ['_count', count],
        ],
      },
      gauge('http_requests_in_flight', 'Requests whose response has not ended.', inFlight),
      gauge('routebook_store_writable', '1 while the store takes writes.', Number(isHealthy)),
      gauge(
        'nodejs_eventloop_lag_p99_seconds',
        'Delay of timers, 99th percentile since the start.',
        delay.percentile(99) / NANOSECONDS,
      ),
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Processor time of the process.',
        samples: [['', (user + system) / MICROSECONDS]],
      },
      gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
      gauge(
        'process_start_time_seconds',
        'Start of the process, seconds since 1970.',
        performance.timeOrigin / 1000,
      ),
    ];
    return families.map(writeFamily).join('');
  };
  return { type: 'text/plain; version=0.0.4', toText };
}

const FRESH_MS = 5000;
const PATIENCE_MS = 2000;
const NAME = 'healthz';

/** Writes a record that no response shows. @throws StoreError if the store takes no writes */
async function writeOnce(store: Store): Promise<void> {
  const found = await findFirst(store, { collection: 'locks', where: eq('name', NAME) });
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

/**
 * Returns a function that tells whether the store takes writes now. It writes at most once in 5 s, however often it is called, and
 * gives up after 2 s. The reason of a failure goes to the log alone.
 */
export function createHealth(store: Store, log: (event: LogEvent) => void): () => Promise<boolean> {
  let [last, asked]: [Promise<boolean> | null, number] = [null, 0];
  const ask = async (): Promise<boolean> => {
    const answered = new AbortController();
    const written = writeOnce(store).then(
      () => true,
      (error: unknown) => {
        if (isRace(error)) return true;
        log({ level: 'error', message: 'the store takes no writes', error });
        return false;
      },
    );
    // Stopping the timer rejects after the race, when nobody listens any longer.
    const late = sleep(PATIENCE_MS, false, { signal: answered.signal }).catch(() => false);
    return Promise.race([written, late]).finally(() => answered.abort());
  };
  return () => {
    const now = performance.now();
    if (last === null || now - asked > FRESH_MS) [last, asked] = [ask(), now];
    return last;
  };
}
