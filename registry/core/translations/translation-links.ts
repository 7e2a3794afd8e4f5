import { own } from '../../../lib/core/objects.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import { invalidParam } from '../../../lib/schema/invalid.ts';
import { and, eq, not } from '../../../lib/store/query.ts';
import {
  exists,
  findFirst,
  type Operation,
  type Store,
  type StoredRecord,
  toUpdate,
} from '../../../lib/store/store.ts';
import type { translationArgs } from '../schemas/common-args.ts';
import type { SiteSettings } from '../settings/site-settings.ts';

/** What the translations of a record show, in the order of the site's languages. */
export function listByLanguage<T extends { readonly id: number; readonly language: string }>(
  records: readonly T[],
  { name }: SiteSettings,
  show: (record: T) => object,
): readonly object[] {
  const order = Object.keys(name);
  return records
    .toSorted((a, b) => order.indexOf(a.language) - order.indexOf(b.language))
    .map((each) => Object.assign({ language: each.language, id: each.id }, show(each)));
}

/** Larger than any group number that a site assigns by hand. */
const OWN_NUMBERS = 1_000_000_000;

/** The translation group of a record; 0: it has none, or there is no record. */
export const groupOf = (record: StoredRecord | null): number => Number(record?.['group'] ?? 0);

/**
 * The translation group number of a record that gets its first translation: its own id or, when that number is
 * taken, a number reserved for this id.
 */
export async function toGroup(
  store: Store,
  collection: 'posts' | 'terms' | 'media',
  record: StoredRecord,
): Promise<number> {
  const group = groupOf(record);
  if (group !== 0) return group;
  const isTaken = await exists(store, collection, and(eq('group', record.id), not(eq('id', record.id))));
  return isTaken ? OWN_NUMBERS + record.id : record.id;
}

type LinkName = keyof typeof translationArgs | 'ml_language';

/** A record of one translation group, and a write to it. */
interface LinkedRecord {
  readonly collection: 'posts' | 'terms' | 'media';
  /** The stored record; null for a new one. */
  readonly current: StoredRecord | null;
  /** Its language after the write. */
  readonly language: string;
  /** Whether a record is of the same kind, and the caller may change it. */
  readonly isLinkable: (record: StoredRecord) => boolean;
}

/** `group`: of the record after the write. `also`: changes of other records in the same commit. */
export interface TranslationLinks {
  readonly group: number;
  readonly also: readonly Operation[];
}

const refuse = (name: LinkName, why: string): Error => invalidParam(name, `${name}: ${why}`);

/** The error for a record to link. Whether it is missing, of another kind or not to be changed by this caller is not told apart. */
export const unknownRecord = (name: LinkName, id: number): Error =>
  refuse(name, `there is no record ${id} of this kind that you may change.`);

/** Plans the links of one write. */
class Links {
  readonly #store: Store;
  readonly #record: LinkedRecord;
  readonly #moved = new Map<number, Operation>();
  #group: number;

  constructor(store: Store, record: LinkedRecord) {
    this.#store = store;
    this.#record = record;
    this.#group = groupOf(record.current);
  }

  /** A record to link. */
  async #load(name: LinkName, id: number): Promise<StoredRecord> {
    if (id === this.#record.current?.id) throw refuse(name, 'a record is not a translation of itself.');
    const found = await this.#store.get(this.#record.collection, id);
    if (found === null || !this.#record.isLinkable(found)) throw unknownRecord(name, id);
    return found;
  }

  /** A record that becomes a translation. */
  async #loadSpoken(name: LinkName, id: number): Promise<StoredRecord> {
    if (this.#record.language === '')
      throw refuse(name, 'this record has no language; name one with ml_language.');
    const found = await this.#load(name, id);
    if (found['language'] === '')
      throw refuse(name, `record ${id} has no language; give it one with ml_language first.`);
    return found;
  }

  /** The member of the group with this language that is not among those that leave it. */
  async #memberOf(group: number, language: string): Promise<StoredRecord | undefined> {
    if (group === 0) return undefined;
    const where = and(eq('group', group), eq('language', language));
    const { records } = await this.#store.find({ collection: this.#record.collection, where, limit: 1 });
    return records.find(({ id }) => id !== this.#record.current?.id && !this.#moved.has(id));
  }

  async #checkFree(name: LinkName, language: string, except = 0): Promise<void> {
    const holder = await this.#memberOf(this.#group, language);
    if (holder !== undefined && holder.id !== except)
      throw refuse(name, `record ${holder.id} is already the translation into "${language}".`);
  }

  #move(record: StoredRecord, group: number): void {
    // Also if it has the group already: the version keeps two writers from taking one language.
    this.#moved.set(record.id, toUpdate(this.#record.collection, record, { group }));
  }

  /** The record joins the translations of another one. */
  async join(id: number): Promise<void> {
    if (id === 0) {
      this.#group = 0;
      return;
    }
    const other = await this.#loadSpoken('ml_translation_of', id);
    const group = await toGroup(this.#store, this.#record.collection, other);
    if (group === groupOf(this.#record.current)) return;
    if (other['language'] === this.#record.language)
      throw refuse(
        'ml_translation_of',
        `record ${id} has the same language, "${this.#record.language}"; name another one with ml_language.`,
      );
    this.#group = group;
    await this.#checkFree('ml_translation_of', this.#record.language);
    this.#move(other, group);
  }

  /** @throws RestError `rest_invalid_param` for the record itself under another language */
  #isSelf(language: string, id: number | null): boolean {
    const own = this.#record.current?.id;
    if (language !== this.#record.language && (id === null || id !== own)) return false;
    if (language === this.#record.language && id === own) return true;
    throw refuse('ml_translations', `the language of this record is "${this.#record.language}".`);
  }

  async #unlink(language: string): Promise<void> {
    const member = await this.#memberOf(this.#group, language);
    if (member === undefined) return;
    this.#move(await this.#load('ml_translations', member.id), 0);
  }

  async #link(language: string, id: number): Promise<void> {
    const known = this.#group === 0 ? null : await this.#memberOf(this.#group, language);
    // What a client read and sends back changes nothing, and needs no right on the other records.
    if (known?.id === id) return;
    const other = await this.#loadSpoken('ml_translations', id);
    if (other['language'] !== language)
      throw refuse('ml_translations', `record ${id} is not in "${language}".`);
    if (this.#group === 0) {
      this.#group = await toGroup(this.#store, this.#record.collection, other);
      await this.#checkFree('ml_translations', this.#record.language);
    }
    await this.#checkFree('ml_translations', language, id);
    this.#move(other, this.#group);
  }

  /** Links and unlinks languages: those that lose a record first, so that another one can take its place. */
  async linkAll(translations: Readonly<Record<string, number | null>>): Promise<void> {
    const others = Object.keys(translations)
      .map((language) => [language, own(translations, language) || null] as const)
      .filter(([language, id]) => !this.#isSelf(language, id));
    for (const [language, id] of others) if (id === null) await this.#unlink(language);
    for (const [language, id] of others) if (id !== null) await this.#link(language, id);
  }

  get planned(): TranslationLinks {
    return { group: this.#group, also: [...this.#moved.values()] };
  }
}

/**
 * What a write of translation links does; null if it sends none. A link also writes the other record, with
 * its version, so that of two writers at the same time one fails.
 * @throws RestError `rest_invalid_param` naming the parameter, the record and the reason
 */
export async function planLinks(
  store: Store,
  record: LinkedRecord,
  { ml_translation_of: of, ml_translations: translations }: Partial<ArgsOf<typeof translationArgs>>,
): Promise<TranslationLinks | null> {
  if (of === undefined && translations === undefined) return null;
  const links = new Links(store, record);
  if (of !== undefined) await links.join(of);
  if (translations !== undefined)
    await links.linkAll(translations as Readonly<Record<string, number | null>>);
  return links.planned;
}

/** A record cannot take a language that another one of its translation group has. `language`, `group`: after the write. @throws RestError `rest_invalid_param` */
export async function checkLanguage(
  store: Store,
  { collection, current }: Pick<LinkedRecord, 'collection' | 'current'>,
  { language, group = groupOf(current) }: { readonly language: string; readonly group?: number | undefined },
): Promise<void> {
  if (current === null || group === 0 || current['language'] === language) return;
  const where = and(eq('group', group), eq('language', language));
  const found = await findFirst(store, { collection, where, fields: [] });
  if (found === undefined) return;
  throw refuse('ml_language', `record ${found.id} is already the translation into "${language}".`);
}
