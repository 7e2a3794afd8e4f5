import { engineError } from '../core/errors.ts';
import { selectFields, type Selection } from '../http/fields.ts';
import { JsonText, toJsonList, writeJson } from '../core/json-document.ts';
import { checkJson } from '../core/json-loss.ts';
import { createPause } from '../core/pause.ts';
import type { RecordList } from '../http/record-list.ts';

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

/** The documents of a list, up to the first one that exceeds the limit. */
class Documents {
  readonly #written: Uint8Array[] = [];
  readonly #limit: number;
  #bytes = 2;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes one more document. @returns false if the list is now too large. @throws TypeError for a value that is not JSON */
  add(value: unknown): boolean {
    const json = writeJson(value);
    const document = typeof json === 'string' ? Buffer.from(json) : json;
    this.#bytes += document.length + (this.#written.length === 0 ? 0 : 1);
    this.#written.push(document);
    return this.#bytes <= this.#limit;
  }

  get list(): JsonText {
    return toJsonList(this.#written);
  }
}

async function showRecord({ show }: RecordList, record: unknown, { fields, embed }: ListManner): Promise<unknown> {
  const shown = await show(record, fields);
  if (shown === undefined) return undefined;
  checkJson('the show function of a RecordList returned', shown);
  if (fields === null && embed === null) return shown;
  const value = shown instanceof JsonText ? shown.toJSON() : shown;
  const selected = fields === null ? value : selectFields(value, fields);
  return embed === null ? selected : embed(selected);
}

/** Writes a list, record by record. @returns null as soon as it exceeds the limit. @throws RestError `rest_client_gone`; TypeError for a value that is not JSON */
export async function writeList(list: RecordList, manner: ListManner): Promise<JsonText | null> {
  const documents = new Documents(manner.limit);
  const pause = createPause();
  const atOnce = manner.embed === null ? 1 : EMBEDDED_AT_ONCE;
  for (let from = 0; from < list.records.length; from += atOnce) {
    const shown = await Promise.all(list.records.slice(from, from + atOnce).map((record) => showRecord(list, record, manner)));
    for (const value of shown) if (value !== undefined && !documents.add(value)) return null;
    const turn = pause();
    if (turn === undefined) continue;
    await turn;
    if (manner.signal().aborted) throw engineError('rest_client_gone');
  }
  return documents.list;
}
