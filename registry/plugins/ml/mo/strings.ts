import {
  findInBatches,
  and,
  eq,
  hasAny,
  type Json,
  oneOf,
  type Operation,
  type Predicate,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import { pause, sha256, toRemove, toUpdate, toWrite } from '../../../plugin.ts';
import type { MlRecord } from '../records/collections.ts';
import type { MoMessage } from './mo.ts';

/** Domain and locale of the messages. */
export interface StringScope {
  readonly domain: string;
  readonly locale: string;
}

type Translations = { readonly [locale: string]: readonly string[] };

const PAGE = 1000;

/** Identifies a string by domain, context and text. */
export const toHash = (domain: string, { context, id }: MoMessage): string =>
  sha256(JSON.stringify([domain, context, id]));

/** A stored string with the types of its collection. */
interface StringRecord extends MlRecord<'ml_strings'> {
  readonly translations: Translations;
}

// The store returns what the collection descriptor declares; this line turns that guarantee into a type.
const toStringRecord = (record: StoredRecord): StringRecord => record as StringRecord;

function toOperation(
  known: StringRecord | undefined,
  message: MoMessage,
  { scope: { domain, locale }, hash }: { scope: StringScope; hash: string },
): Operation {
  const { context, id: msgid, plural, translations: texts } = message;
  const translations: { [key: string]: Json } = { ...known?.translations, [locale]: [...texts] };
  const locales = Object.keys(translations);
  return toWrite('ml_strings', known, { hash, domain, context, msgid, plural, translations, locales });
}

/** The operations that add messages of a .mo file to the table of strings. */
export async function toStringOperations(
  store: Store,
  messages: readonly MoMessage[],
  scope: StringScope,
): Promise<readonly Operation[]> {
  const byHash = new Map(messages.map((message) => [toHash(scope.domain, message), message]));
  const { records } = await store.find({
    collection: 'ml_strings',
    where: oneOf('hash', [...byHash.keys()]),
  });
  const known = new Map(records.map((record) => [String(record['hash']), toStringRecord(record)]));
  return [...byHash].map(([hash, message]) => toOperation(known.get(hash), message, { scope, hash }));
}

/** The strings of a domain that have a translation in this locale. */
export const ofScope = ({ domain, locale }: StringScope): Predicate =>
  and(eq('domain', domain), hasAny('locales', [locale]));

/** All strings that match, in pages. Other requests run between them. */
export async function* readStrings(store: Store, where: Predicate): AsyncGenerator<readonly StringRecord[]> {
  for await (const records of findInBatches(store, { collection: 'ml_strings', where, limit: PAGE })) {
    yield records.map(toStringRecord);
    await pause();
  }
}

function toRemoval(record: StringRecord, locale: string): Operation {
  const translations = Object.fromEntries(
    Object.entries(record.translations).filter(([name]) => name !== locale),
  );
  const locales = Object.keys(translations);
  return locales.length === 0
    ? toRemove('ml_strings', record)
    : toUpdate('ml_strings', record, { translations, locales });
}

/** Removes the translations of a scope whose strings are not among `kept` (hashes). A string without any translation disappears. */
export async function forgetStrings(
  store: Store,
  scope: StringScope,
  kept: ReadonlySet<string>,
): Promise<void> {
  for await (const records of readStrings(store, ofScope(scope))) {
    const gone = records.filter((record) => !kept.has(String(record['hash'])));
    if (gone.length > 0) await store.commit(gone.map((record) => toRemoval(record, scope.locale)));
  }
}
