import { createHash } from 'node:crypto';
import { groupBy } from '../../../lib/core/objects.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toSlug } from '../../core/content/slug.ts';
import { childElements, parseFragment, textOf, type XmlElement } from '../../core/content/xml.ts';
import type { ContentType, Taxonomy } from '../../core/model/content-type.ts';
import type { Item } from '../items/item.ts';
import type { ReadContext } from '../items/read-context.ts';

const EXPORT = 'http://wordpress.org/export/1.2/';
/** The usual prefixes, and the namespaces of a file that does not declare them. */
const USUAL: Readonly<Record<string, string>> = {
  wp: EXPORT,
  excerpt: `${EXPORT}excerpt/`,
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  wfw: 'http://wellformedweb.org/CommentAPI/',
};

const PREFIXES = new Map(Object.entries(USUAL).map(([prefix, namespace]) => [namespace, `${prefix}:`]));
/** The number in the namespaces of WordPress is the version of the format. */
const VERSIONED = /^https?:\/\/wordpress\.org\/export\/[\d.]+\//;

/** A name with the usual prefix, whatever prefix a file uses. Elements of foreign namespaces get a name that no reader asks for. */
const toName = (namespace: string, local: string): string => {
  const prefix = namespace === '' ? '' : PREFIXES.get(namespace.replace(VERSIONED, EXPORT));
  return `${prefix ?? `{${namespace}}`}${local}`;
};

/** The namespaces that the start tags around the children declare. */
export function readNamespaces(wrappers: string): Readonly<Record<string, string>> {
  const declared = [...wrappers.matchAll(/\sxmlns:([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, prefix = '', double, single]) => [prefix, double ?? single ?? ''] as const,
  );
  return {
    ...USUAL,
    ...Object.fromEntries(declared.filter(([prefix]) => prefix !== 'xml' && prefix !== 'xmlns')),
  };
}

/** Parses a child of the channel. Names have the usual prefixes. @throws XmlError */
export function parseChild(text: string, namespaces: Readonly<Record<string, string>>): XmlElement {
  return parseFragment(text, { namespaces, toName });
}

/** The text of the first child element with this name; '' if there is none. */
export function childText(element: XmlElement, name: string): string {
  const child = element.children.find((each) => typeof each !== 'string' && each.name === name);
  return child === undefined || typeof child === 'string' ? '' : textOf(child);
}

/** The number in a child element; 0 if there is none. */
export function childId(element: XmlElement, name: string): number {
  const text = childText(element, name).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The meta entries of an element, by key in the order of the file. `kind`: `postmeta`, `termmeta`, `commentmeta`. */
export function readMetaEntries(element: XmlElement, kind: string): ReadonlyMap<string, readonly string[]> {
  const entries = groupBy(childElements(element, `wp:${kind}`), (entry) => childText(entry, 'wp:meta_key'));
  return new Map(
    [...entries].map(([key, those]) => [key, those.map((entry) => childText(entry, 'wp:meta_value'))]),
  );
}

/** Whether an element says anything of a day, right or wrong. The database of WordPress writes zeros for none. */
export const hasDay = (element: XmlElement, ...names: readonly string[]): boolean =>
  names.some((name) => /[^0\s:.T-]/.test(childText(element, name)));

/** A translation that a plugin of the exporting site recorded: the language of a record, and the group of its translations. */
export interface Translation {
  readonly language: string;
  /** '' for none. */
  readonly group: string;
}

/** An item of the file with everything that several functions need. */
export interface WxrItem {
  readonly element: XmlElement;
  readonly place: string;
  readonly type: ContentType;
  /** As the site knows it. */
  readonly status: string;
  readonly id: number;
  readonly entries: ReadonlyMap<string, readonly string[]>;
}

/** A term as the file names it. `language`: '' for any. */
interface TermName {
  readonly taxonomy: string;
  readonly slug: string;
  readonly language: string;
}

const keyOf = ({ taxonomy, slug, language }: TermName): string => `${taxonomy}/${slug}/${language}`;

const MADE_BYTES = 6;

/** A negative id that belongs to this text. */
function toMadeId(text: string): number {
  return -1 - createHash('sha256').update(text).digest().readUIntBE(0, MADE_BYTES);
}

/** What has been read from a WXR file so far, so that later parts can refer to it. */
export class WxrState {
  readonly context: ReadContext;
  readonly #users = new Map<string, number>();
  readonly #userIds = new Set<number>();
  readonly #terms = new Map<string, number>();
  readonly #termIds = new Set<number>();
  /** Translations of terms by id, and of posts by the slug of their group. */
  readonly termTranslations = new Map<number, Translation>();
  readonly #groups = new Map<string, number>();
  readonly #made = new Map<string, number>();

  constructor(context: ReadContext) {
    this.context = context;
  }

  /** An id for a record whose source has none. It depends on what identifies the record, so that a newer export of the site makes the same one. */
  makeId(...identity: readonly string[]): number {
    const text = JSON.stringify(identity);
    const times = this.#made.get(text) ?? 0;
    this.#made.set(text, times + 1);
    return toMadeId(times === 0 ? text : `${text}${times}`);
  }

  /** The number of a group: the id of the first record that was seen with it. */
  toGroup(collection: string, { group }: Translation, id: number): number {
    if (group === '') return 0;
    const key = `${collection} ${group}`;
    const number = this.#groups.get(key) ?? Math.abs(id);
    this.#groups.set(key, number);
    return number;
  }

  findTerm(name: TermName): number | undefined {
    return this.#terms.get(keyOf(name));
  }

  /** The term that a record of this language means: that of its language, else the first one with the slug. */
  findTermFor(name: TermName): number | undefined {
    return this.findTerm(name) ?? this.findTerm({ ...name, language: '' });
  }

  findUser(login: string): number | undefined {
    return this.#users.get(login);
  }

  addUser(login: string, id: number): void {
    this.#users.set(login, id);
    this.#userIds.add(id);
  }

  knowsUser(id: number): boolean {
    return this.#userIds.has(id);
  }

  /** Sites that were made before WordPress 4.2 have terms of several taxonomies with one id. The first keeps it. @returns the id of the term */
  addTerm(name: TermName, id: number): number {
    const given = this.#termIds.has(id) ? this.makeId('term', name.taxonomy, name.slug) : id;
    this.#termIds.add(given);
    this.#terms.set(keyOf(name), given);
    const first = keyOf({ ...name, language: '' });
    if (!this.#terms.has(first)) this.#terms.set(first, given);
    return given;
  }
}

/** The item of a user. `id`: 0 if the file has none. */
export function toUser(
  state: WxrState,
  {
    place,
    id,
    login,
    ...values
  }: {
    place: string;
    id: number;
    login: string;
    email?: string;
    name?: string;
    first_name?: string;
    last_name?: string;
  },
): Item {
  const given = id === 0 ? state.makeId('user', login) : id;
  state.addUser(login, given);
  const { email = '', name = '' } = values;
  return {
    place,
    collection: 'users',
    id: given,
    values: {
      ...values,
      login,
      name: name === '' ? login : name,
      slug: toSlug(login.split('@', 1)[0] ?? '') || 'user',
      nickname: login,
      role: state.context.role,
      email_key: fold(email),
    },
  };
}

/** The item of a term that is only named. */
export function toNamedTerm(
  state: WxrState,
  { name: taxonomy }: Pick<Taxonomy, 'name'>,
  term: { slug: string; name: string; place: string },
): Item {
  const { language } = state.context;
  const id = state.makeId('term', taxonomy, term.slug);
  state.addTerm({ taxonomy, slug: term.slug, language }, id);
  return {
    place: term.place,
    collection: 'terms',
    id,
    values: { taxonomy, name: term.name || term.slug, slug: term.slug, language },
  };
}
