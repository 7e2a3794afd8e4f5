import { createPause } from '../../core/cooperative.ts';
import { engineError, type RestError } from '../../core/errors.ts';
import { type RecordList } from '../../http/record-list.ts';
import { selectFields, type Selection } from '../../http/select-fields.ts';
import { JsonText, toJsonList, writeJson } from '../../json/json-document.ts';
import { checkJson } from '../../json/json-loss.ts';
import { largeRecordError, tooLargeError } from './too-large.ts';

/** How to write a list. */
export interface ListManner {
  /** null: every field. */
  readonly fields: Selection | null;
  /** Adds the targets of a record's links. null: nothing is added. */
  readonly embed: ((record: unknown) => Promise<unknown>) | null;
  /** Largest list, in bytes. */
  readonly limit: number;
  /** Aborted when nobody waits for the list any more. */
  readonly signal: () => AbortSignal;
}

/** Number of records whose links are loaded at the same time, because a store may have a high latency. */
const EMBEDDED_AT_ONCE = 10;

/** Bytes that an envelope adds to a list. */
const ENVELOPE_BYTES = 8192;

/** Largest page that a link asks for: the limit of `per_page` in WordPress. A list without pages may have more records. */
const LARGEST_PAGE = 100;

/** A list as JSON. */
interface WrittenList {
  readonly list: JsonText;
  /** Number of its records. */
  readonly count: number;
  /** Size of the pages on which it goes on. */
  readonly perPage: number;
}

/**
 * The largest size of which a page begins after as many records as fit, or a few less, so that plain page links go on there.
 * Both numbers are at least about half of those that fit: a client gets no pages of one record after a few lists that were cut.
 */
function cutAt(from: number, fitting: number): Pick<WrittenList, 'count' | 'perPage'> {
  for (let perPage = Math.min(fitting, LARGEST_PAGE); ; perPage -= 1) {
    const count = fitting - ((from + fitting) % perPage);
    if (count * 2 >= fitting) return { count, perPage };
  }
}

/** The documents of a list, up to the first one that exceeds the limit. */
class Documents {
  /** null: the record no longer exists. */
  readonly #written: (Uint8Array | null)[] = [];
  readonly #limit: number;
  #bytes = 2;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes one more document. @returns false if the list is now too large. @throws TypeError for a value that is not JSON */
  add(value: unknown): boolean {
    const json = value === undefined ? null : writeJson(value);
    const document = typeof json === 'string' ? Buffer.from(json) : json;
    if (document !== null) this.#bytes += document.length + (this.#bytes === 2 ? 0 : 1);
    this.#written.push(document);
    return this.#bytes <= this.#limit;
  }

  whole(count = this.#written.length, perPage = count): WrittenList {
    return {
      list: toJsonList(this.#written.slice(0, count).filter((document) => document !== null)),
      count,
      perPage,
    };
  }

  /** The beginning of a list that is too large: as many records as a page can have whose next page follows. null: none fits. */
  cut(from: number): WrittenList | null {
    const most = this.#limit - Math.min(ENVELOPE_BYTES, this.#limit / 2);
    let [bytes, fitting] = [2, 0];
    for (const document of this.#written) {
      bytes += (document?.length ?? 0) + 1;
      if (bytes > (fitting === 0 ? this.#limit : most)) break;
      fitting += 1;
    }
    if (fitting === 0) return null;
    const { count, perPage } = cutAt(from, fitting);
    return this.whole(count, perPage);
  }
}

async function showRecord(
  { show }: RecordList,
  record: unknown,
  { fields, embed }: ListManner,
): Promise<unknown> {
  const shown = await show(record, fields);
  if (shown === undefined) return undefined;
  checkJson('the show function of a RecordList returned', shown);
  if (fields === null && embed === null) return shown;
  const value = shown instanceof JsonText ? shown.toJSON() : shown;
  const selected = fields === null ? value : selectFields(value, fields);
  return embed === null ? selected : embed(selected);
}

/** `last`: the shown record that did not fit. */
function cutList({ from }: RecordList, documents: Documents, last: unknown): WrittenList | RestError {
  // The list of another copy of the package may not say where it begins.
  if (typeof from !== 'number') return tooLargeError();
  return documents.cut(from) ?? largeRecordError(last);
}

/**
 * Writes a list, record by record, as far as it fits. @returns the error to send if it does not fit and may not be cut, or if its first record alone is too large
 * @throws RestError `rest_client_gone`; TypeError for a value that is not JSON
 */
export async function writeList(list: RecordList, manner: ListManner): Promise<WrittenList | RestError> {
  const documents = new Documents(manner.limit);
  const pause = createPause();
  const atOnce = manner.embed === null ? 1 : EMBEDDED_AT_ONCE;
  for (let from = 0; from < list.records.length; from += atOnce) {
    const shown = await Promise.all(
      list.records.slice(from, from + atOnce).map((record) => showRecord(list, record, manner)),
    );
    for (const value of shown) if (!documents.add(value)) return cutList(list, documents, value);
    const turn = pause();
    if (turn === undefined) continue;
    await turn;
    if (manner.signal().aborted) throw engineError('rest_client_gone');
  }
  return documents.whole();
}
