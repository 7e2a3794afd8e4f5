// oxlint-disable typescript/no-explicit-any -- bodies are looked at as the JSON that they are
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createUpstream } from '../../../../../adapters/upstream.ts';
import type { Upstream } from '../../../../../lib/ports/upstream.ts';
import { listen } from '../../../../support/loopback.ts';

export const KEY = 'secret-key-7c1d';

/** A translation into capital letters, which leaves tags and elements that must not be translated as they are. */
export const shout = (text: string): string =>
  text
    .split(/(<span translate="no"[^]*?<\/span>|<[^>]*>|&#?\w+;)/)
    .map((part, index) => (index % 2 === 0 ? part.toUpperCase() : part))
    .join('');

/** A response in place of the usual one. */
export interface Odd {
  readonly status?: number;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Does not respond. */
  readonly silent?: true;
}

export interface MachineServer {
  readonly upstream: Upstream;
  /** The bodies of all requests for translations. */
  readonly asked: Readonly<Record<string, any>>[];
  /** The glossaries of DeepL. */
  readonly glossaries: DeeplGlossaries['glossaries'];
  /** The next responses, before the usual ones. */
  readonly odd: Odd[];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

type Reply = readonly [status: number, body: unknown];

const codeOf = (value: unknown): string => String(value).toLowerCase().split('-')[0] ?? '';

/** The glossaries of DeepL, which never change. */
function createDeeplGlossaries() {
  const glossaries = new Map<
    string,
    {
      readonly glossary_id: string;
      readonly name: string;
      readonly source_lang: string;
      readonly target_lang: string;
      readonly creation_time: string;
      readonly entries: ReadonlyMap<string, string>;
    }
  >();
  let count = 0;
  function make({
    name,
    source_lang: source,
    target_lang: target,
    entries: text,
    entries_format: format,
  }: Record<string, any>): Reply {
    const entries = new Map(
      String(text)
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    );
    const isValid =
      format === 'tsv' &&
      [source, target].every((code) => /^[a-z]{2}$/.test(code)) &&
      entries.size === String(text).split('\n').length &&
      [...entries].every((entry) => entry.length === 2 && entry.every((each) => each !== ''));
    if (!isValid) return [400, { message: 'Bad request', detail: 'Invalid glossary entries provided' }];
    count += 1;
    const made = {
      glossary_id: `gl-${count}`,
      name,
      source_lang: source,
      target_lang: target,
      creation_time: new Date().toISOString(),
      entries,
    };
    glossaries.set(made.glossary_id, made);
    return [201, { ...made, entries: undefined, ready: true, entry_count: entries.size }];
  }
  return {
    glossaries,
    answer(method: string, id: string, body: Record<string, any>): Reply {
      if (method === 'GET')
        return [
          200,
          {
            glossaries: [...glossaries.values()]
              .map(({ glossary_id, name, source_lang, target_lang, creation_time }) => ({
                glossary_id,
                name,
                source_lang,
                target_lang,
                creation_time,
                ready: true,
              }))
              .toReversed(),
          },
        ];
      if (method === 'POST') return make(body);
      return glossaries.delete(id) ? [204, null] : [404, { message: 'Not found' }];
    },
  };
}

/** As DeepL describes its interface. */
function answerDeepl(request: IncomingMessage, body: Buffer, { glossaries, answer }: DeeplGlossaries): Reply {
  if (request.headers.authorization !== `DeepL-Auth-Key ${KEY}`)
    return [403, { message: `Forbidden: ${KEY}` }];
  const [, id = ''] = /^\/v2\/glossaries\/?(.*)$/.exec(request.url ?? '') ?? [];
  if (request.url?.startsWith('/v2/glossaries') === true)
    return answer(
      request.method ?? '',
      id,
      body.length === 0 ? {} : (JSON.parse(body.toString()) as Record<string, any>),
    );
  if (request.url !== '/v2/translate' || request.method !== 'POST') return [404, { message: 'Not found' }];
  if (body.length > 128 * 1024) return [413, { message: 'Request Entity Too Large' }];
  const {
    text,
    target_lang: target,
    tag_handling: tags,
    source_lang: source,
    glossary_id: glossary,
  } = JSON.parse(body.toString()) as Record<string, any>;
  if (!Array.isArray(text) || text.length === 0 || text.length > 50)
    return [400, { message: 'Bad request: text' }];
  if (
    !/^[A-Z]{2}(-[A-Z]{2,4})?$/.test(target) ||
    target === 'EN' ||
    !/^[A-Z]{2}$/.test(source) ||
    tags !== 'html'
  )
    return [400, { message: 'Value for target_lang not supported.' }];
  const own = glossaries.get(glossary);
  if (own === undefined && glossary !== undefined) return [404, { message: 'Glossary not found' }];
  if (own !== undefined && (own.source_lang !== codeOf(source) || own.target_lang !== codeOf(target)))
    return [400, { message: 'Mismatching languages' }];
  const write = (each: string): string =>
    [...(own?.entries ?? [])].reduce(
      (done, [term, translation]) => done.replaceAll(term.toUpperCase(), translation),
      shout(each),
    );
  return [
    200,
    { translations: text.map((each: string) => ({ detected_source_language: source, text: write(each) })) },
  ];
}

type DeeplGlossaries = ReturnType<typeof createDeeplGlossaries>;

/** As LibreTranslate describes its interface. */
function answerLibre(request: IncomingMessage, body: Buffer): Reply {
  const { q, source, target, format, api_key: key } = JSON.parse(body.toString()) as Record<string, any>;
  if (request.url !== '/translate' || request.method !== 'POST') return [404, { error: 'Not found' }];
  if (key !== KEY) return [403, { error: `Invalid API key ${key}` }];
  if (!['en', 'fr', 'nl'].includes(source) || !['en', 'fr', 'nl'].includes(target))
    return [400, { error: `${target} is not supported` }];
  return [
    200,
    {
      translatedText: Array.isArray(q)
        ? q.map((each: string) => (format === 'html' ? shout(each) : each))
        : shout(q),
    },
  ];
}

const ANSWERS = { deepl: answerDeepl, libretranslate: answerLibre } as const;

/** Runs with a server on loopback that follows the public description of the service. */
export async function withMachine(
  id: keyof typeof ANSWERS,
  run: (server: MachineServer) => Promise<void>,
  key = KEY,
): Promise<void> {
  const asked: Readonly<Record<string, any>>[] = [];
  const odd: Odd[] = [];
  const deepl = createDeeplGlossaries();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const isAsked = request.url?.startsWith('/v2/glossaries') !== true;
    if (isAsked) asked.push(JSON.parse(body.toString()));
    const special = isAsked ? odd.shift() : undefined;
    if (special?.silent === true) return;
    const [status, usual] = ANSWERS[id](request, body, deepl);
    response.writeHead(special?.status ?? status, {
      'content-type': 'application/json',
      ...special?.headers,
    });
    if (status === 204) response.end();
    else response.end(special?.raw ?? JSON.stringify(special?.body ?? (special === undefined ? usual : {})));
  };
  const server = await listen((request, response) => {
    void answer(request, response);
  });
  try {
    const headers = id === 'deepl' ? { Authorization: `DeepL-Auth-Key ${key}` } : {};
    await run({
      upstream: createUpstream({ [id]: { origin: `http://127.0.0.1:${server.port}`, headers } }),
      asked,
      odd,
      glossaries: deepl.glossaries,
    });
  } finally {
    await server.close();
  }
}
