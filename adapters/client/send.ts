import type { Names } from '../../lib/core/names.ts';
import { RestError } from './rest-error.ts';
import type { Answer, BatchItem, CallOptions, Described } from './types.ts';

/** The lines of a body while it arrives. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r\n|\n|\r(?!$)/);
      rest = done ? '' : (lines.pop() as string);
      yield* lines;
      if (done) return;
    }
  } finally {
    // A caller that stops reading ends the request.
    await reader.cancel();
  }
}

/** The records of a stream: one JSON value in each line. */
async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator {
  for await (const line of readLines(body)) if (line !== '') yield JSON.parse(line);
}

function toData(lines: readonly string[]): unknown {
  const text = lines.join('\n');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Server-sent events with their id, their name and their data. Comments are left out. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator {
  let fields: Record<string, string> = {};
  let data: string[] = [];
  for await (const line of readLines(body)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name !== '') fields[name] = value;
    else if (line === '') {
      if (data.length > 0) yield { ...fields, data: toData(data) };
      [fields, data] = [{}, []];
    }
  }
}

/** Media type -> how its records are read one by one. */
export const STREAMS: Readonly<Record<string, (body: ReadableStream<Uint8Array>) => AsyncGenerator>> = {
  'application/x-ndjson': readRecords,
  'text/event-stream': readEvents,
};

/** Options of a client. */
export interface ClientOptions {
  /** Address of the API, such as `https://example.org/en/cms-json`. */
  readonly url: string;
  /** The names that requests and responses have on the wire. Descriptors are written with the neutral ones. Default: the same. */
  readonly names?: Pick<Names, 'segments' | 'params'>;
  /** Sends the requests. Default: that of the runtime. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request, or a function that returns them, such as the login of the moment. */
  readonly headers?: Headers_ | (() => Headers_ | Promise<Headers_>);
  /** How often a call is repeated after a 503 with `Retry-After`. Default 2. */
  readonly retries?: number;
  /** The descriptor as data. Without it, handler ids are looked up in the OpenAPI document of the site. */
  readonly descriptor?: Described;
}

/** Headers by name. */
type Headers_ = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

/** One call. `query`: replaces the query, for the next page. */
export interface ClientRequest {
  readonly route: string;
  readonly args: Values;
  readonly options: CallOptions;
  readonly query?: string | undefined;
}

/** Sends calls to one API. */
export interface Sender {
  (request: ClientRequest): Promise<Answer<number, unknown>>;
  /** The item of a batch that makes the call. */
  toItem(request: ClientRequest): BatchItem<unknown>['request'];
  /** A body with neutral names. */
  rename(body: unknown): unknown;
}

/** A response whose body is read. */
interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A pattern with its groups as `{name}`. */
export const toTyped = (pattern: string): string =>
  pattern.replaceAll(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, '{$1}');

/** Longest wait before a call is repeated. Seconds. */
const LONGEST_WAIT = 60;

function addPairs(pairs: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Date) pairs.append(name, value.toISOString());
  else if (typeof value !== 'object') pairs.append(name, String(value));
  else if (Array.isArray(value) && value.length === 0) pairs.append(name, '');
  else
    for (const [key, each] of Object.entries(value))
      addPairs(pairs, `${name}[${Array.isArray(value) && typeof each !== 'object' ? '' : key}]`, each);
}

function toQuery(values: Values): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) addPairs(pairs, name, value);
  return String(pairs);
}

const isFile = (value: unknown): boolean => [value].flat().some((each) => each instanceof Blob);

function toForm(values: Values): FormData {
  const form = new FormData();
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    if (isFile(value)) for (const file of [value].flat()) form.append(name, file as Blob);
    else rest[name] = value;
  for (const [name, text] of new URLSearchParams(toQuery(rest))) form.append(name, text);
  return form;
}

/** How a body is sent. Bytes and texts are sent as they are. */
function toBody(body: unknown): { readonly body?: Blob; readonly type?: string } {
  return body === undefined
    ? {}
    : typeof body === 'string' || [Blob, Uint8Array, FormData].some((kind) => body instanceof kind)
      ? { body: body as Blob }
      : { body: JSON.stringify(body) as unknown as Blob, type: 'application/json' };
}

/** The form of a response that callers get. */
export function toAnswer({ status, headers, body }: Read): Answer<number, unknown> {
  const version = /^(?:W\/)?"(\d+)-/.exec(headers.get('etag') ?? '')?.[1];
  const count = (name: string): number | null => {
    const found = [...headers].find(([each]) => each.startsWith('x-') && each.endsWith(name));
    return found === undefined ? null : Number(found[1]);
  };
  return {
    status,
    headers,
    body,
    version: version === undefined ? null : Number(version),
    total: count('-total'),
    pages: count('-totalpages'),
  };
}

/** The error of a response of 400 or more. */
export function toError({ status, headers, body }: Read, where: string): RestError {
  const { code, message, data } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Partial<RestError>;
  return typeof code === 'string' && typeof message === 'string'
    ? new RestError({ code, message, status, headers, ...(data === undefined ? {} : { data }) })
    : new RestError({
        code: `http_${status}`,
        message: `${where}: status ${status}.`,
        status,
        headers,
      });
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  const stream = Object.entries(STREAMS).find(([each]) => each === type)?.[1];
  if (stream !== undefined && response.body !== null && response.ok) return stream(response.body);
  if (!/[/+]json$/.test(type)) return response.body === null ? null : response.blob();
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/** Waits, unless the signal aborts. @throws the reason of the signal */
function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

const swap = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).map(([neutral, wire]) => [wire, neutral]));

const renameMembers = (names: ReadonlyMap<string, string>, record: object): Values =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [names.get(name) ?? name, value]));

/** Sends the calls of one client. */
export function createSender({ url, names, headers = {}, retries = 2, ...options }: ClientOptions): Sender {
  const fetch_ = options.fetch ?? fetch;
  const base = url.replace(/\/$/, '');
  const segments = new Map(Object.entries(names?.segments ?? {}));
  const params = new Map(Object.entries(names?.params ?? {}));
  const neutral = swap(names?.params ?? {});

  const renameRecord = (record: unknown): unknown =>
    typeof record === 'object' && record?.constructor === Object ? renameMembers(neutral, record) : record;
  const rename = (body: unknown): unknown =>
    neutral.size === 0 ? body : Array.isArray(body) ? body.map(renameRecord) : renameRecord(body);

  function toParts({
    route,
    args,
    options: { query: more, body: whole, version, key },
    query,
  }: ClientRequest) {
    const [method = '', pattern = ''] = route.split(/ (.*)/s);
    const rest = new Map(Object.entries(args));
    const path = toTyped(pattern)
      .replaceAll(/\{(\w+)\}/g, (_group, name: string) => {
        const value = rest.get(name) ?? '';
        if (value === '') throw new TypeError(`${route}: "${name}" is missing.`);
        rest.delete(name);
        return encodeURIComponent(String(value));
      })
      .replaceAll(/[^/]+/g, (segment) => segments.get(segment) ?? segment);
    const values = renameMembers(params, Object.fromEntries(rest));
    const inBody = !['GET', 'HEAD', 'DELETE'].includes(method) && whole === undefined;
    const search = query ?? toQuery({ ...(inBody ? {} : values), ...more });
    return {
      method,
      path: search === '' ? path : `${path}?${search}`,
      body: inBody ? (Object.values(values).some(isFile) ? toForm(values) : values) : whole,
      conditions: {
        ...(version === undefined || version === null ? {} : { 'If-Match': `"${version}-"` }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
    };
  }

  async function send(request: ClientRequest): Promise<Answer<number, unknown>> {
    const { method, path, body: given, conditions } = toParts(request);
    const { signal, headers: own, retries: left = retries } = request.options;
    const { body, type } = toBody(given);
    for (let turn = 0; ; turn += 1) {
      const response = await fetch_(base + path, {
        method,
        headers: {
          ...(type === undefined ? {} : { 'Content-Type': type }),
          ...(typeof headers === 'function' ? await headers() : headers),
          ...conditions,
          ...own,
        },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      const read = { status: response.status, headers: response.headers, body: await readBody(response) };
      if (response.ok) return toAnswer({ ...read, body: rename(read.body) });
      const error = toError(read, request.route);
      const { retryAfter } = error;
      if (error.status !== 503 || retryAfter === null || retryAfter > LONGEST_WAIT || turn >= left)
        throw error;
      await wait(retryAfter, signal);
    }
  }

  return Object.assign(send, {
    rename,
    toItem(request: ClientRequest) {
      const { method, path, body, conditions } = toParts(request);
      return { method, path, headers: conditions, ...(body === undefined ? {} : { body }) };
    },
  });
}
