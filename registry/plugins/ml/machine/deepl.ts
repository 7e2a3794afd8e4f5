import { createHmac } from 'node:crypto';
import { isObject, own, sha256, type Upstream } from '../../../plugin.ts';
import { type Members, toMembers } from '../engine/http-engine.ts';
import type { GlossaryTerm } from '../glossary/glossary.ts';
import type { LanguagePair, Machine, MachineOptions } from './machine.ts';

const SERVICE = 'deepl';
const PATH = '/v2/glossaries';

/** What the glossary of a pair is made from. */
interface DeeplTerms {
  /** Languages of the site. Each variant of a language, such as `pt-br`, has terms of its own. */
  readonly languages: LanguagePair;
  /** Codes of the service without variants, in lower case. */
  readonly pair: LanguagePair;
  readonly terms: readonly GlossaryTerm[];
  readonly signal?: AbortSignal | undefined;
  /** Whether the service no longer has what was found before. No other glossary is removed then, because the job that removed it uses another one. Default false. */
  readonly isLost?: boolean;
}

interface Client {
  readonly upstream: Pick<Upstream, 'request'>;
  readonly signal: AbortSignal | undefined;
}

/** A glossary at the service. */
interface Known {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 in UTC. */
  readonly created: string;
}

/** @throws RestError `service_*` */
async function send(
  { upstream, signal }: Client,
  method: string,
  { path = PATH, body }: { path?: string; body?: unknown } = {},
): Promise<Members> {
  const answer = await upstream.request(SERVICE, { method, path, body, signal });
  // Another process may have removed it.
  if (method === 'DELETE' && answer.status === 404) return {};
  return toMembers(SERVICE, answer, {
    message: `DeepL: the glossary could not be used (status ${answer.status}).`,
  });
}

/** The oldest first, so that all processes find the same one. */
async function listKnown(client: Client): Promise<readonly Known[]> {
  const { glossaries } = await send(client, 'GET');
  const known = (Array.isArray(glossaries) ? glossaries : []).filter(isObject).map((each) => ({
    id: String(each['glossary_id']),
    name: String(each['name']),
    created: String(each['creation_time']),
  }));
  return known.toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1));
}

const remove = (client: Client, id: string): Promise<unknown> =>
  send(client, 'DELETE', { path: `${PATH}/${encodeURIComponent(id)}` });

/** Tab-separated entries. The service refuses a term twice. */
function toEntries(terms: readonly GlossaryTerm[]): string {
  const entries = new Map(
    terms.flatMap(({ term, translation }) => (translation === null ? [] : [[term, translation] as const])),
  );
  return [...entries]
    .map(([term, translation]) => `${term}\t${translation}`)
    .toSorted()
    .join('\n');
}

/**
 * Finds the glossary at DeepL that has these terms, and makes it if there is none. Glossaries of DeepL never change; the name holds the site and
 * a digest of the terms, so that nothing has to be stored here, and older ones of this site can be removed. null: there are no terms.
 * @throws RestError `service_*`
 */
export async function findDeeplGlossary(
  ports: { readonly upstream: Pick<Upstream, 'request'>; readonly secret: Uint8Array },
  { languages, pair, terms, signal, isLost = false }: DeeplTerms,
): Promise<string | null> {
  const client: Client = { upstream: ports.upstream, signal };
  const entries = toEntries(terms);
  if (entries === '') return null;
  const site = `site ${createHmac('sha256', ports.secret).update('deepl glossary').digest('hex').slice(0, 12)} ${languages.source}-${languages.target} `;
  const name = `${site}${sha256(entries).slice(0, 16)}`;
  const known = await listKnown(client);
  const found = known.find((each) => each.name === name);
  if (found !== undefined) return found.id;
  const { glossary_id: id } = await send(client, 'POST', {
    body: { name, source_lang: pair.source, target_lang: pair.target, entries, entries_format: 'tsv' },
  });
  if (typeof id !== 'string') return null;
  if (!isLost)
    for (const old of known.filter((each) => each.name.startsWith(site))) await remove(client, old.id);
  // Another process may have made the same glossary at the same moment. Each removes its own unless it is the oldest.
  const oldest = (await listKnown(client)).find((each) => each.name === name)?.id ?? id;
  if (oldest !== id) await remove(client, id);
  return oldest;
}

/** Variants that the service knows, by language of the site. A language with other variants is sent without them. */
const VARIANTS: Readonly<Record<string, string>> = {
  en: 'EN-US',
  'en-gb': 'EN-GB',
  'en-us': 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  'pt-pt': 'PT-PT',
  no: 'NB',
  nn: 'NB',
  'es-419': 'ES-419',
  'zh-hans': 'ZH-HANS',
  'zh-hant': 'ZH-HANT',
  'zh-cn': 'ZH-HANS',
  'zh-sg': 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
  'zh-hk': 'ZH-HANT',
};

const toBase = (code: string): string => code.split('-')[0]?.toUpperCase() ?? '';

/** DeepL, `POST /v2/translate`: at most 50 texts and 128 KiB. The key is in the headers of the connection. */
export function createDeepl(
  { codes = {}, formality, glossaries = {}, syncGlossary = false }: MachineOptions['deepl'],
  ports: Parameters<typeof findDeeplGlossary>[0],
): Machine {
  const toTarget = (code: string): string =>
    own(codes, code) ?? own(VARIANTS, code.toLowerCase()) ?? toBase(code);
  const toPair = ({ source, target }: LanguagePair): LanguagePair => ({
    source: toBase(toTarget(source)).toLowerCase(),
    target: toBase(toTarget(target)).toLowerCase(),
  });
  return {
    id: 'deepl',
    label: 'DeepL',
    path: '/v2/translate',
    maxTexts: 50,
    maxBytes: 120 * 1024,
    // A source has no variant.
    async findGlossary({ source, target, terms, signal, isLost }) {
      const named = own(glossaries, `${source}:${target}`);
      return (
        named ??
        (syncGlossary
          ? findDeeplGlossary(ports, {
              languages: { source, target },
              pair: toPair({ source, target }),
              terms,
              signal,
              isLost,
            })
          : null)
      );
    },
    toBody: (texts, { source, target }, glossary) => ({
      text: texts,
      source_lang: toBase(toTarget(source)),
      target_lang: toTarget(target),
      tag_handling: 'html',
      formality,
      glossary_id: glossary ?? undefined,
    }),
    readTexts: ({ translations }) =>
      Array.isArray(translations)
        ? translations.map((each: unknown) => (isObject(each) ? each['text'] : undefined))
        : null,
    statuses: { 456: 'the quota of the account is used up' },
  };
}
