import { isObject, own } from '../../../lib/core/objects.ts';
import { leftOut, type ReadResult } from '../items/item.ts';
import { listForeign, type RestClient, RestFault } from './rest-client.ts';
import type { RestReading, Shown } from './rest-records.ts';

/** Records of one request. */
const PAGE = 100;
/** Most pages of a list. */
const MOST_PAGES = 10_000;
/** Characters of a foreign language in the report. */
const SHOWN = 80;
const UNCOUNTED = 'the site does not say how many there are';
/** The error of WordPress for a page after the last one, by its end. */
const AFTER_LAST = /_invalid_page_number$/;

/** A list of records of one kind. */
export interface List {
  /** For places in the report: `posts`. */
  readonly name: string;
  readonly path: string;
  readonly query: string;
  /** Undefined: the site does not say it, or not as a number. */
  readonly total: number | undefined;
  /** Of a site whose lists have one language each. A language that it does not know may be answered with the records of another. */
  readonly language?: string | undefined;
  readonly read: (reading: RestReading, shown: Shown, place: string) => readonly ReadResult[];
}

/** What came of a page. */
interface PageRead {
  readonly sent: number;
  readonly lost: number;
  readonly first?: unknown;
}

/** Reads lists page by page. */
export class ListReader {
  readonly #client: RestClient;
  /** The records of lists by language: path and id. */
  readonly #read = new Set<string>();
  /** The records that others name as their translations, by each language that the site does not have. */
  readonly #foreign = new Map<string, Set<string>>();
  /** Number of records that were read so far. */
  done = 0;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** Whether no list of another language had the record. */
  #isNew(path: string, shown: Shown, languages: readonly string[]): boolean {
    const key = `${path} ${String(own(shown, 'id'))}`;
    if (this.#read.has(key)) return false;
    this.#read.add(key);
    for (const { language, id } of listForeign(shown, languages)) {
      const name = language.slice(0, SHOWN);
      const known = this.#foreign.get(name) ?? new Set();
      this.#foreign.set(name, known.add(`${path} ${id}`));
    }
    return true;
  }

  /** What the lists of the site's languages only name. */
  listUnread(languages: readonly string[]): readonly ReadResult[] {
    return [...this.#foreign].map(([language, keys]) =>
      leftOut(
        'the index',
        `${keys.size} ${keys.size === 1 ? 'record' : 'records'} in ${language}`,
        `translations name them, and ${language} is not one of the site's languages ${languages.join(', ')}`,
      ),
    );
  }

  /** Returns what came of the page: how many records it has, how many are reported because it cannot be read, and the id of its first record. */
  async *#readPage(
    { name, path, query, total, language, read }: List,
    page: number,
    reading: RestReading,
  ): AsyncGenerator<ReadResult, PageRead> {
    const place = `${path}, page ${page}`;
    try {
      const { body } = await this.#client.get(
        `${path}?per_page=${PAGE}&page=${page}&${query}&${this.#client.view}`,
      );
      if (!Array.isArray(body)) throw new RestFault('the answer is not a list');
      for (const shown of body as readonly unknown[]) {
        const id = isObject(shown) ? own(shown, 'id') : undefined;
        if (!isObject(shown) || !Number.isSafeInteger(id) || Number(id) <= 0)
          yield leftOut(place, name, 'it is not a record with an id');
        else if (language === undefined || this.#isNew(path, shown, reading.context.languages))
          yield* read(reading, shown, `${name} ${Number(id)}`);
      }
      this.done += body.length;
      const first: unknown = body[0];
      return { sent: body.length, lost: 0, first: isObject(first) ? own(first, 'id') : undefined };
    } catch (error) {
      if (!(error instanceof RestFault)) throw error;
      if (page > 1 && AFTER_LAST.test(error.code)) return { sent: 0, lost: 0 };
      const lost = total === undefined ? PAGE : Math.min(PAGE, total - (page - 1) * PAGE);
      yield leftOut(
        place,
        `${total === undefined ? 'the' : lost} records of ${name}`,
        `${error.message}. Run the import again to read them`,
      );
      return { sent: 0, lost };
    }
  }

  /** Reads pages until one is empty. The site does not say how many there are. */
  async *#readUncounted(list: List, reading: RestReading): AsyncGenerator<ReadResult> {
    const rest = `further records of ${list.name}`;
    let last: unknown;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { sent, lost, first } = yield* this.#readPage(list, page, reading);
      if (sent > 0 && first === last) {
        yield leftOut(`${list.path}, page ${page}`, rest, `${UNCOUNTED}, and sends the same page again`);
        return;
      }
      if (lost > 0)
        yield leftOut(list.path, rest, `${UNCOUNTED}, so that reading ended at the page that cannot be read`);
      if (sent === 0) return;
      last = first;
    }
    yield leftOut(list.path, rest, `${UNCOUNTED}, and sends more than ${MOST_PAGES} pages`);
  }

  async *#readCounted(list: List, total: number, reading: RestReading): AsyncGenerator<ReadResult> {
    let [sent, lost] = [0, 0];
    const pages = Math.min(Math.ceil(total / PAGE), MOST_PAGES);
    for (let page = 1; page <= pages; page += 1) {
      const read = yield* this.#readPage(list, page, reading);
      sent += read.sent;
      lost += read.lost;
    }
    const missing = total - sent - lost;
    const apart = lost === 0 ? '' : `, and ${lost} are on pages that could not be read`;
    if (missing > 0)
      yield leftOut(
        list.path,
        `${missing} records of ${list.name}`,
        `the site counts ${total} and sent ${sent}${apart}; it may have changed meanwhile`,
      );
    if (sent > total)
      yield leftOut(
        list.path,
        `further records of ${list.name}`,
        `the site counts ${total} and sent ${sent}; there may be more. Run the import again to read them`,
      );
  }

  /** Reads all pages of the list. What cannot be read is reported. */
  readList(list: List, { context, ...others }: RestReading): AsyncGenerator<ReadResult> {
    const { language = context.language } = list;
    const reading = { ...others, context: { ...context, language } };
    return list.total === undefined
      ? this.#readUncounted(list, reading)
      : this.#readCounted(list, list.total, reading);
  }
}
