import type { Server, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eq, type LogEvent, type Store, StoreError } from '../../../lib/index.ts';

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

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`;

const family = (name: string, type: string, help: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

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
      const labels = `method="${METHODS.has(method) ? method : 'other'}",status="${status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      for (const [at, bound] of BOUNDS.entries()) if (took <= bound) buckets[at] = (buckets[at] ?? 0) + 1;
      [inFlight, count, seconds] = [inFlight - 1, count + 1, seconds + took];
    });
  });
  const toText = (isHealthy: boolean): string => {
    const { user, system } = process.cpuUsage();
    const time = 'http_request_duration_seconds';
    return [
      family('http_requests_total', 'counter', 'Requests by method and status; 499: the client left.'),
      ...[...requests].map(([labels, value]) => sample('http_requests_total', labels, value)),
      family(time, 'histogram', 'Time from the head of a request to the end of its response.'),
      ...BOUNDS.map((bound, at) => sample(`${time}_bucket`, `le="${bound}"`, buckets[at] ?? 0)),
      sample(`${time}_bucket`, 'le="+Inf"', count),
      sample(`${time}_sum`, '', seconds),
      sample(`${time}_count`, '', count),
      family('http_requests_in_flight', 'gauge', 'Requests whose response has not ended.'),
      sample('http_requests_in_flight', '', inFlight),
      family('routebook_store_writable', 'gauge', '1 while the store takes writes.'),
      sample('routebook_store_writable', '', Number(isHealthy)),
      family(
        'nodejs_eventloop_lag_p99_seconds',
        'gauge',
        'Delay of timers, 99th percentile since the start.',
      ),
      sample('nodejs_eventloop_lag_p99_seconds', '', delay.percentile(99) / NANOSECONDS),
      family('process_cpu_seconds_total', 'counter', 'Processor time of the process.'),
      sample('process_cpu_seconds_total', '', (user + system) / MICROSECONDS),
      family('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
      sample('process_resident_memory_bytes', '', process.memoryUsage.rss()),
      family('process_start_time_seconds', 'gauge', 'Start of the process, seconds since 1970.'),
      sample('process_start_time_seconds', '', performance.timeOrigin / 1000),
    ].join('');
  };
  return { type: 'text/plain; version=0.0.4', toText };
}

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
