import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, own } from '../../../lib/core/objects.ts';
import { trimEnd } from '../../../lib/core/text.ts';
import { type Outbound, type OutboundAnswer, OutboundRefused } from '../../../lib/ports/outbound.ts';

/** A site that is read through its REST interface. */
export interface RestSource {
  /** Address of the index: `https://old.example/wp-json`. */
  readonly url: string;
  /** Sends the requests. */
  readonly outbound: Outbound;
  /** Value of the header `Authorization`. Without it, the site shows what anonymous callers may read. */
  readonly authorization?: string | undefined;
  /** Waiting times in milliseconds before a failed request is sent again. Default: 1, 4 and 15 s. */
  readonly retryMs?: readonly number[];
  /** Ends a request or a waiting time that is under way. The error is then its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A JSON response. */
interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One answer could not be used: the site refuses the request, or what it sends is not JSON. Others may still work. */
export class RestFault extends Error {
  /** The code of the site's error; '' if it names none. */
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

const RETRY_MS = [1000, 4000, 15_000];
const MOST_WAIT_MS = 60_000;
const SECOND = 1000;
const TIMEOUT_MS = 120_000;
/** A page of a hundred posts of the largest size that the import takes. */
const MOST_BYTES = 64 * 1024 * 1024;
const SHOWN = 200;

const isOk = ({ status }: OutboundAnswer): boolean => status >= 200 && status < 300;
/** Faults of the moment. */
const isPassing = ({ status }: OutboundAnswer): boolean => status === 429 || status >= 500;

function parse({ body }: OutboundAnswer): unknown {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller says that it is not JSON, and shows its beginning.
  }
}

function toFault(answer: OutboundAnswer): RestFault {
  const body = parse(answer);
  const [message, code] = ['message', 'code'].map((name) => (isObject(body) ? own(body, name) : undefined));
  return new RestFault(
    `the site answers ${answer.status}${typeof message === 'string' ? `: ${message}` : ''}`.slice(0, SHOWN),
    typeof code === 'string' ? code : '',
  );
}

/** Sends requests to one site, again if they fail for the moment. */
export class RestClient {
  readonly #source: RestSource;

  constructor(source: RestSource) {
    this.#source = source;
  }

  get isAuthorised(): boolean {
    return this.#source.authorization !== undefined;
  }

  /** The argument for what the caller may see. */
  get view(): string {
    return this.isAuthorised ? 'context=edit' : 'context=view';
  }

  /** `retryMs`: default that of the source. @throws RestFault for an answer that cannot be used; Error when the site cannot be reached */
  async get(
    path: string,
    { retryMs = this.#source.retryMs ?? RETRY_MS }: Pick<RestSource, 'retryMs'> = {},
  ): Promise<RestAnswer> {
    const answer = await this.#send(`${trimEnd(this.#source.url, '/')}${path}`, retryMs);
    if (!isOk(answer)) throw toFault(answer);
    const body = parse(answer);
    if (body === undefined) throw new RestFault('the site sends something else than JSON');
    return { status: answer.status, headers: answer.headers, body };
  }

  async #send(url: string, retryMs: readonly number[]): Promise<OutboundAnswer> {
    const { outbound, authorization, signal } = this.#source;
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      const wait = retryMs[attempt];
      const answer = await outbound({
        url,
        accept: [],
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS,
        authorization,
        signal,
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (wait !== undefined) return null;
        const cause = error instanceof OutboundRefused ? error.cause : error;
        throw new Error(
          `${url} cannot be read: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`,
          { cause: error },
        );
      });
      if (answer !== null && (!isPassing(answer) || wait === undefined)) return answer;
      const told = Number(answer?.headers['retry-after']) * SECOND;
      await sleep(told > 0 ? Math.min(told, MOST_WAIT_MS) : wait, undefined, { signal }).catch(
        (error: unknown) => {
          signal?.throwIfAborted();
          throw error;
        },
      );
    }
  }
}

const LANGUAGE_FIELDS = ['wpml_language', 'ml_language', 'lang', 'polylang_current_lang'];
const FIELDS = ['wpml_translations', 'ml_translations', 'translations'];

/** The translations that a record names. Plugins show ids by language, or a list of records with a locale. */
function readNamed(shown: Readonly<Record<string, unknown>>, languages: readonly string[]) {
  const named = FIELDS.map((field) => own(shown, field)).find(
    (each) => isObject(each) || Array.isArray(each),
  );
  const all = Object.entries(named ?? {})
    .map(([key, each]) =>
      isObject(each)
        ? { language: ofLocale(String(each['locale'] ?? key), languages), id: Number(each['id']) }
        : { language: key, id: Number(each) },
    )
    .filter(({ id }) => Number.isSafeInteger(id) && id > 0);
  return { all, isList: Array.isArray(named) };
}

/** The translations that a record names in languages other than these. */
export const listForeign = (shown: Readonly<Record<string, unknown>>, languages: readonly string[]) =>
  readNamed(shown, languages).all.filter(({ language }) => !languages.includes(language));

/** The translation group of a record: the lowest of its id and those of the translations that it names; 0 for none. */
export function groupOf(shown: Readonly<Record<string, unknown>>): number {
  const { all, isList } = readNamed(shown, []);
  const id = Number(own(shown, 'id'));
  const others = all.map((each) => each.id).filter((each) => each !== id);
  if (others.length === 0) return 0;
  // A list has only what is published, so that others do not name a draft.
  const isNamed = !isList || own(shown, 'status') === 'publish';
  return Math.min(...(isNamed ? [id] : []), ...others);
}

/** The language of a locale such as `pt_BR`; the locale itself if it has none of these. */
function ofLocale(name: string, languages: readonly string[]): string {
  const locale = name.replace('_', '-').toLowerCase();
  return languages.find((each) => [locale, locale.split('-')[0]].includes(each.toLowerCase())) ?? locale;
}

/** A text of a record; '' if it has none. */
export const textOf = (shown: Readonly<Record<string, unknown>>, field: string): string => {
  const value = own(shown, field);
  return typeof value === 'string' ? value : '';
};

/** The language that a record names, by itself or by a locale such as `pt_BR`; '' if it names none. */
export function namedLanguageOf(
  shown: Readonly<Record<string, unknown>>,
  languages: readonly string[],
): string {
  const named = LANGUAGE_FIELDS.map((field) => textOf(shown, field)).find((language) => language !== '');
  return named ?? ofLocale(textOf(shown, 'wpml_current_locale'), languages);
}
