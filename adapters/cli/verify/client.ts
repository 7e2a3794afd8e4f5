import { type Agent, type IncomingHttpHeaders, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Step, Vars } from './scenario.ts';

/** Time zone of the recorded site. */
const ZONE = 'Europe/Amsterdam';

/** Format of a date with time in responses. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const TOLERANCE_MS = 15 * 60_000;

const SITE_TIME = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A time in the time zone of the site. */
export function toSiteTime(ms: number): string {
  const parts = Object.fromEntries(SITE_TIME.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}`;
}

/** A time in GMT. */
export function toGmtTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** Whether the text is a date within 15 minutes of now. */
export function isAboutNow(text: unknown, toText: (ms: number) => string): boolean {
  if (typeof text !== 'string' || !DATE_TIME.test(text)) return false;
  return Math.abs(Date.parse(`${text}Z`) - Date.parse(`${toText(Date.now())}Z`)) < TOLERANCE_MS;
}

/** The server under test. `base`: address of its index without a trailing slash; `passwords`: by login; `agent`: keeps its connections, and belongs to the scheme of `base`. */
export interface Target {
  readonly base: string;
  readonly passwords: Readonly<Record<string, string>>;
  readonly agent: Agent;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A response in the form of the recorded cases: the site's own URLs are written as `{base}` and `{home}`. */
export interface Digest {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Relation -> URL of the `Link` header. */
  readonly links: Readonly<Record<string, string | undefined>>;
  /** undefined when there is none. */
  readonly body: unknown;
}

const HOUR = 3_600_000;
const TIMEOUT_MS = 30_000;
const MOST_BYTES = 16 * 1024 * 1024;
const NO_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The page of the site: the base without its last segment. */
const homeOf = ({ base }: Target): string => base.slice(0, base.lastIndexOf('/'));

/** Replaces saved values, URLs and times. `encode`: how values are encoded here. */
function fill(
  text: string,
  { target, vars }: { target: Target; vars: Vars },
  encode: (value: string) => string = String,
): string {
  return text
    .replaceAll(/\$\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(vars, name) ? encode(String(own(vars, name))) : whole,
    )
    .replaceAll('{base}', encode(target.base))
    .replaceAll('{home}', encode(homeOf(target)))
    .replaceAll('{now+1h}', toSiteTime(Date.now() + HOUR))
    .replaceAll('{now-1h}', toSiteTime(Date.now() - HOUR))
    .replaceAll('{nowgmt+1h}', toGmtTime(Date.now() + HOUR));
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]),
  );
}

function toPayload(
  step: Step,
  change: (text: string) => string,
): readonly [payload: string | Buffer | null, type: string | null] {
  if ('body' in step) return [JSON.stringify(mapTexts(step.body, change)), 'application/json'];
  if (step.form !== undefined) return [change(step.form), 'application/x-www-form-urlencoded'];
  if (step.base64 !== undefined) return [Buffer.from(step.base64, 'base64'), null];
  return [step.raw === undefined ? null : change(step.raw), null];
}

/** Path and query of the step as they are sent. */
export function toRequestTarget({ path, query = '' }: Step, target: Target, vars: Vars): string {
  const base = new URL(target.base).pathname.replace(/\/$/, '');
  return `${base}${fill(path, { target, vars })}${query === '' ? '' : `?${fill(query, { target, vars }, encodeURIComponent)}`}`;
}

/** Sends one step. @throws Error of the network, or for a response that is too slow or too long */
export function send(step: Step, target: Target, vars: Vars): Promise<Reply> {
  const change = (text: string): string => fill(text, { target, vars });
  const [payload, type] = toPayload(step, change);
  const headers: Record<string, string | number> = {
    ...(step.as === null
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${step.as}:${own(target.passwords, step.as)}`).toString('base64')}`,
        }),
    ...(type === null ? {} : { 'content-type': type }),
    ...(payload !== null || !NO_BODY.has(step.method)
      ? { 'content-length': Buffer.byteLength(payload ?? '') }
      : {}),
  };
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name.toLowerCase()] = change(value);
  const { hostname, port, protocol } = new URL(target.base);
  const path = toRequestTarget(step, target, vars);
  const sendRequest = protocol === 'https:' ? sendHttps : sendHttp;
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      {
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        timeout: TIMEOUT_MS,
        method: step.method,
        path,
        headers,
        agent: target.agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES)
            response.destroy(new Error(`the response is longer than ${MOST_BYTES} bytes`));
          else chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.end(payload ?? undefined);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readScript(text: string): unknown {
  const [, comment, callback, inner] = /^(\/\*\*\/)?([\w.$]+)\(([\s\S]*)\)$/.exec(text) ?? [];
  if (inner === undefined) return parseJson(text) ?? { $text: text };
  return { $callback: callback, $comment: comment !== undefined, $data: parseJson(inner) };
}

/** Longest XML of a response that is read, in characters. */
const MOST_XML = 20_000;

function readXml(text: string): unknown {
  const [, root, inner = ''] = /<(\w+)>([\s\S]*)<\/\1>\s*$/.exec(text.slice(0, MOST_XML)) ?? [];
  return {
    $root: root,
    $fields: Object.fromEntries(
      [...inner.matchAll(/<(\w+)>([\s\S]*?)<\/\1>/g)].map(([, name, value]) => [name, value]),
    ),
  };
}

function readBody(type: string, text: string): unknown {
  if (text === '') return undefined;
  if (type.includes('javascript')) return readScript(text);
  if (type.includes('xml')) return readXml(text);
  return parseJson(text) ?? { $text: text };
}

function readLinks(header: string, change: (text: string) => string): Record<string, string> {
  const links = [...header.matchAll(/<([^<>]*)>;([^,]*)/g)];
  return Object.fromEntries(
    links.flatMap(([, url = '', rest = '']) => {
      const relation = /rel="?([^";]+)"?/.exec(rest)?.[1];
      return relation === undefined ? [] : [[change(relation), change(url)]];
    }),
  );
}

/** A response in the form in which it is compared. */
export function toDigest({ status, headers, text }: Reply, target: Target): Digest {
  const change = (value: string): string =>
    value.replaceAll(target.base, '{base}').replaceAll(homeOf(target), '{home}');
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const own = Object.entries(headers).map(([name, value]) => [
    name,
    value === undefined ? undefined : change(String(value)),
  ]);
  return {
    status,
    headers: { ...Object.fromEntries(own), ...(type === '' ? {} : { 'content-type': type }) },
    links: readLinks(String(headers['link'] ?? ''), change),
    body: mapTexts(readBody(type, text), change),
  };
}
