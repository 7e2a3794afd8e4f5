import { createHash } from 'node:crypto';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import type { MoMessage } from './mo.ts';

/** Domain and locale of the messages. */
export interface StringScope {
  readonly domain: string;
  readonly locale: string;
}

type Translations = { readonly [locale: string]: readonly string[] };

/** Identifies a string by domain, context and text. */
function toHash(domain: string, { context, id }: MoMessage): string {
  return createHash('sha256').update(JSON.stringify([domain, context, id])).digest('hex');
}

/** A stored string with the types of its collection. */
export interface StringRecord extends StoredRecord {
  readonly domain: string;
  readonly context: string;
  readonly msgid: string;
  readonly plural: string;
  readonly translations: Translations;
  readonly locales: readonly string[];
}

// The store returns what the collection descriptor declares; this line turns that guarantee into a type.
export const toStringRecord = (record: StoredRecord): StringRecord => record as StringRecord;

function toOperation(known: StringRecord | undefined, message: MoMessage, { scope: { domain, locale }, hash }: { scope: StringScope; hash: string }): Operation {
  const { context, id: msgid, plural, translations: texts } = message;
  if (known === undefined) {
    return { op: 'create', collection: 'ml_strings', values: { hash, domain, context, msgid, plural, translations: { [locale]: [...texts] }, locales: [locale] } };
  }
  const translations: { [key: string]: Json } = { ...known.translations, [locale]: [...texts] };
  return { op: 'update', collection: 'ml_strings', id: known.id, version: known.version, values: { plural, translations, locales: Object.keys(translations) } };
}

/** The operations that add messages of a .mo file to the table of strings. */
export async function toStringOperations(store: Store, messages: readonly MoMessage[], scope: StringScope): Promise<readonly Operation[]> {
  const byHash = new Map(messages.map((message) => [toHash(scope.domain, message), message]));
  const { records } = await store.find({ collection: 'ml_strings', where: oneOf('hash', [...byHash.keys()]) });
  const known = new Map(records.map((record) => [String(record['hash']), toStringRecord(record)]));
  return [...byHash].map(([hash, message]) => toOperation(known.get(hash), message, { scope, hash }));
}
