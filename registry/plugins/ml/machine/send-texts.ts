import { setTimeout as wait } from 'node:timers/promises';
import { RestError } from '../../../../lib/index.ts';
import { isObject, type Ports, type UpstreamAnswer, upstreamError } from '../../../plugin.ts';
import type { TextProblem, TextRequest } from '../engine/text-engine.ts';
import type { Machine } from './machine.ts';

/** Statuses after which a service asks to try again: too many requests, overloaded. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 529]);
const NOT_FOUND = 404;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
/** A service that asks for more time is not waited for. */
const LONGEST_WAIT_MS = 4000;
const STATUSES: Readonly<Record<number, string>> = {
  401: 'the service refuses the key',
  403: 'the service refuses the key',
  413: 'the texts are too long',
  429: 'the service has too many requests',
  503: 'the service is overloaded',
};

export interface Client extends Pick<Ports, 'upstream'> {
  readonly machine: Machine;
}

/** Everything that one job needs besides its texts. */
interface Asking extends Client {
  glossary: string | null;
  /** Whether the service has lost a glossary already. */
  isLost: boolean;
}

/** The reason names the status, never anything that the service wrote: its response may repeat the key. */
function toError(
  { id, label, statuses }: Machine,
  status: number,
  reason = statuses[status] ?? STATUSES[status] ?? 'the service failed',
): RestError {
  return upstreamError('service_bad_response', {
    message: `${label}: ${reason} (status ${status}).`,
    data: { service: id, upstream_status: status },
  });
}

/** Milliseconds until the next attempt; null if there is none. */
function toWait(answer: UpstreamAnswer, attempt: number): number | null {
  if (!BUSY.has(answer.status) || attempt === ATTEMPTS) return null;
  const asked = Number(answer.headers['retry-after']);
  const ms = Number.isFinite(asked) ? asked * 1000 : FIRST_WAIT_MS * 2 ** (attempt - 1);
  return ms >= 0 && ms <= LONGEST_WAIT_MS ? ms : null;
}

async function send(
  { upstream, machine }: Client,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<UpstreamAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await upstream.request(machine.id, {
      method: 'POST',
      path: machine.path,
      body,
      signal,
    });
    const ms = toWait(answer, attempt);
    if (ms === null || signal?.aborted === true) return answer;
    await wait(ms);
  }
}

export function readTexts(
  machine: Machine,
  { status, body }: UpstreamAnswer,
  count: number,
): readonly string[] {
  if (status < 200 || status > 299) throw toError(machine, status);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw toError(machine, status, 'the response is not JSON');
  }
  const texts = isObject(value) ? machine.readTexts(value) : null;
  if (texts === null) throw toError(machine, status, 'the response has no translations');
  if (texts.length !== count)
    throw toError(machine, status, `the response has ${texts.length} translations of ${count} texts`);
  return texts.map((text) => {
    if (typeof text !== 'string' || text.trim() === '')
      throw toError(machine, status, 'a translation is not a text, or is empty');
    return text;
  });
}

/** What the log of a job says of a service that failed. @throws the error, if it is another one */
function toProblem({ id }: Machine, error: unknown): TextProblem {
  if (!(error instanceof RestError)) throw error;
  return { engine: id, code: error.code, message: error.message };
}

/** The job is translated without the glossary of the service if that fails. */
async function findGlossary(
  { machine }: Client,
  { source, target, terms = [], signal, report }: TextRequest,
  isLost: boolean,
): Promise<string | null> {
  try {
    return (await machine.findGlossary?.({ source, target, terms, signal, isLost })) ?? null;
  } catch (error) {
    const problem = toProblem(machine, error);
    report?.(problem);
    return null;
  }
}

/** Sends texts with the glossary. A job with newer terms may have removed it: then it is found or made again, once. */
async function sendTexts(
  client: Asking,
  texts: readonly string[],
  request: TextRequest,
): Promise<UpstreamAnswer> {
  const answer = await send(client, client.machine.toBody(texts, request, client.glossary), request.signal);
  if (answer.status !== NOT_FOUND || client.glossary === null || client.isLost) return answer;
  const lost = client.glossary;
  client.isLost = true;
  client.glossary = await findGlossary(client, request, true);
  // The options name it.
  if (client.glossary === lost) return answer;
  return sendTexts(client, texts, request);
}

/** Translates the texts of one request. Halves are sent if the service says that they are too long. */
async function translateBatch(
  client: Asking,
  texts: readonly string[],
  request: TextRequest,
): Promise<readonly string[]> {
  const answer = await sendTexts(client, texts, request);
  if (answer.status !== 413 || texts.length === 1) return readTexts(client.machine, answer, texts.length);
  const half = Math.ceil(texts.length / 2);
  return [
    ...(await translateBatch(client, texts.slice(0, half), request)),
    ...(await translateBatch(client, texts.slice(half), request)),
  ];
}

export const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Groups texts into requests within the limits of the service. A text that exceeds them alone is left out. */
export function toBatches(
  { maxTexts, maxBytes }: Pick<Machine, 'maxTexts' | 'maxBytes'>,
  texts: readonly string[],
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let size = 0;
  for (const text of texts) {
    const bytes = sizeOf(text);
    if (bytes > maxBytes) continue;
    const last = batches.at(-1);
    if (last === undefined || last.length === maxTexts || size + bytes > maxBytes) {
      batches.push([text]);
      size = bytes;
    } else {
      last.push(text);
      size += bytes;
    }
  }
  return batches;
}

/** Translates every text once. The translations that arrived before a failure count. */
export async function translateTexts(
  parts: Client,
  texts: readonly string[],
  request: TextRequest,
): Promise<ReadonlyMap<string, string>> {
  const done = new Map<string, string>();
  if (texts.length === 0) return done;
  const client: Asking = { ...parts, glossary: await findGlossary(parts, request, false), isLost: false };
  try {
    for (const batch of toBatches(client.machine, [...new Set(texts)])) {
      if (request.signal?.aborted === true)
        throw upstreamError('service_timeout', {
          message: `${client.machine.label}: there was no time for all texts.`,
          data: { service: client.machine.id },
        });
      const translated = await translateBatch(client, batch, request);
      for (const [index, text] of batch.entries()) done.set(text, translated[index] ?? '');
    }
  } catch (error) {
    const problem = toProblem(client.machine, error);
    request.report?.({ ...problem, failed: true });
  }
  return done;
}
