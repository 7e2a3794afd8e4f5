import type { Json } from '../../../../lib/index.ts';
import { type ContentModel, groupBy, runSteps, sha256, type Steps } from '../../../plugin.ts';
import type { FieldAction, TextKey, XmlConfig } from './xml-config.ts';

/** The list or object that a text contains as JSON; undefined for any other text. Some custom fields have one, footnotes for example. */
export function readJsonText(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The text begins like JSON, but is text like any other.
    return undefined;
  }
}

const MAX_DEPTH = 32;

type Meta = Readonly<Record<string, Json>>;

const isParent = (value: Json): value is readonly Json[] | Meta =>
  typeof value === 'object' && value !== null;

/** A list or an object with other members. Not a spread with a computed name, because `__proto__` must remain an ordinary key. */
const mapMembers = (parent: readonly Json[] | Meta, change: (member: Json, name: string) => Json): Json =>
  Array.isArray(parent)
    ? parent.map((item: Json, index) => change(item, String(index)))
    : Object.fromEntries(Object.entries(parent).map(([name, member]) => [name, change(member, name)]));

/** `change`: of a text. `deep`: of a list or object below `MAX_DEPTH`. */
interface LeafChanges {
  readonly change: (text: string) => Steps<string>;
  readonly deep: (value: Json) => Json;
}

function mapLeaves(value: Json, changes: LeafChanges, depth = 0): Json {
  if (typeof value === 'string') return runSteps(changes.change(value));
  if (!isParent(value)) return value;
  if (depth > MAX_DEPTH) return changes.deep(value);
  return mapMembers(value, (member) => mapLeaves(member, changes, depth + 1));
}

/** Changes the texts in a JSON text, or any other text itself. A text in which nothing changes stays byte for byte. */
export function* mapTexts(
  text: string,
  change: LeafChanges['change'],
  deep: LeafChanges['deep'] = (value) => value,
): Steps<string> {
  const value = readJsonText(text);
  if (value === undefined) return yield* change(text);
  const mapped = JSON.stringify(mapLeaves(value, { change, deep }));
  return mapped === JSON.stringify(value) ? text : mapped;
}

/** A text within the custom fields. `path` leads to it, starting with the name of the field. */
interface MetaText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Custom fields that hold a list as JSON text, and the texts in it. */
const JSON_TEXTS: ReadonlyMap<string, readonly TextKey[]> = new Map([
  ['footnotes', [{ name: '*', keys: [{ name: 'content', keys: [] }] }]],
]);

/** `keys` null: the value is a string or a list of strings. Otherwise only the texts under the keys are read. */
function listTexts(value: Json, keys: readonly TextKey[] | null, path: readonly string[]): MetaText[] {
  if (typeof value === 'string') return keys === null || keys.length === 0 ? [{ path, text: value }] : [];
  if (!isParent(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (keys === null)
      return Array.isArray(value) && typeof member === 'string'
        ? [{ path: [...path, name], text: member }]
        : [];
    const key = keys.find((each) => each.name === name) ?? keys.find((each) => each.name === '*');
    return key === undefined ? [] : listTexts(member, key.keys, [...path, name]);
  });
}

const actionOf = (config: XmlConfig, name: string): FieldAction =>
  config.texts.some((key) => key.name === name) ? 'translate' : (config.fields.get(name) ?? 'ignore');

/** The custom field texts that the configuration marks for translation. */
function readMeta(meta: Meta, config: XmlConfig): readonly MetaText[] {
  return Object.entries(meta).flatMap(([name, value]) => {
    if (actionOf(config, name) !== 'translate') return [];
    const inJson = JSON_TEXTS.get(name);
    if (inJson !== undefined && typeof value === 'string')
      return listTexts(readJsonText(value) ?? null, inJson, [name]);
    return listTexts(value, config.texts.find((key) => key.name === name)?.keys ?? null, [name]);
  });
}

function replaceText(value: Json, [name, ...rest]: readonly string[], text: string): Json {
  if (name === undefined) return text;
  return isParent(value)
    ? mapMembers(value, (member, key) => (key === name ? replaceText(member, rest, text) : member))
    : value;
}

/** A JSON text whose inner texts did not change stays byte for byte. */
function replaceTexts(value: Json, texts: readonly MetaText[]): Json {
  const whole = texts.find(({ path }) => path.length === 1);
  if (whole !== undefined) return whole.text;
  const json = typeof value === 'string' ? readJsonText(value) : undefined;
  const replaced = texts.reduce(
    (result, { path, text }) => replaceText(result, path.slice(1), text),
    json ?? value,
  );
  if (json === undefined) return replaced;
  const written = JSON.stringify(replaced);
  return written === JSON.stringify(json) ? value : written;
}

/** Custom fields of the translation. `previous`: its current fields; null when it is new. */
interface MetaParts {
  readonly source: Meta;
  readonly previous: Meta | null;
  readonly translated: readonly MetaText[];
}

/** Translates, copies or ignores each custom field, as configured. A field to be copied that the source no longer has is removed. */
function writeMeta({ source, previous, translated }: MetaParts, config: XmlConfig): Meta {
  const kept = new Map<string, Json>(
    Object.entries(previous ?? {}).filter(
      ([name]) => Object.hasOwn(source, name) || actionOf(config, name) !== 'copy',
    ),
  );
  for (const [name, value] of Object.entries(source)) {
    const action = actionOf(config, name);
    if (action === 'copy' || (action === 'copy-once' && !kept.has(name))) kept.set(name, value);
    if (action !== 'translate') continue;
    kept.set(
      name,
      replaceTexts(
        value,
        translated.filter(({ path }) => path[0] === name),
      ),
    );
  }
  return Object.fromEntries(kept);
}

/**
 * One text of a post that a job translates. `path`: its path in the custom fields; absent for the post's own texts. A segment of a longer
 * text has the id of that text (`part`), and what stands between it and the segment before it, or after the last one (`before`, `after`).
 */
export type JobField = {
  readonly id: string;
  readonly label: string;
  readonly source: string;
  readonly path?: readonly string[];
  readonly part?: string;
  readonly before?: string;
  readonly after?: string;
};

/** The texts of a post, by field name. */
export interface PostTexts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly slug: string;
  readonly meta: Readonly<Record<string, Json>>;
}

/** A term of the post without a translation. */
export interface OpenTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly name: string;
}

/** Translations by field id. */
export type FieldTexts = ReadonlyMap<string, string>;

const OWN = [
  ['title', 'Title', 'title'],
  ['body', 'Content', 'content'],
  ['excerpt', 'Excerpt', 'excerpt'],
  ['URL', 'URL', 'slug'],
] as const;

/** Field ids are NMTOKENs in XLIFF. Characters that are not allowed there are replaced by their code points. */
const toToken = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9._]/gu, (character) => `_x${(character.codePointAt(0) ?? 0).toString(16)}_`);

function toMetaFields(meta: PostTexts['meta'], config: XmlConfig): JobField[] {
  const ids = new Set<string>();
  return readMeta(meta, config).map(({ path, text }) => {
    const [key = '', ...rest] = path;
    const tail = rest.length === 0 ? ['0'] : /^\d+$/.test(rest[0] ?? '') ? rest : ['0', ...rest];
    const wanted = ['field', key, ...tail].map(toToken).join('-');
    let id = wanted;
    for (let number = 2; ids.has(id); number += 1) id = `${wanted}.${number}`;
    ids.add(id);
    return { id, label: path.join(' / '), source: text, path };
  });
}

/** The texts that a job of this post translates, as configured. Empty texts are left out. */
export function toJobFields(
  post: PostTexts,
  terms: readonly OpenTerm[],
  config: XmlConfig,
): readonly JobField[] {
  const own = OWN.map(([id, label, name]): JobField => ({ id, label, source: post[name] }));
  const named = terms
    .filter((term) => config.taxonomies.get(term.taxonomy) !== false)
    .map((term): JobField => ({
      id: `t_${term.id}`,
      label: `Name of a term (${term.taxonomy})`,
      source: term.name,
    }));
  return [...own, ...named, ...toMetaFields(post.meta, config)].filter((field) => field.source !== '');
}

/** Identifies the state of the texts by 16 hexadecimal digits, which change with any text. */
export function toRevision(fields: readonly JobField[]): string {
  const parts = fields.flatMap((field) => [field.id, field.source]);
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

/** The texts of the translated post. `previous`: custom fields of the existing translation; null when it is new. A missing text is copied from the source. */
export function toTranslatedTexts(
  source: PostTexts,
  job: { fields: readonly JobField[]; texts: FieldTexts },
  meta: { previous: PostTexts['meta'] | null; config: XmlConfig },
): PostTexts {
  const text = (id: string, otherwise: string): string => job.texts.get(id) ?? otherwise;
  const translated = job.fields.flatMap((field) =>
    field.path === undefined || !job.texts.has(field.id)
      ? []
      : [{ path: field.path, text: text(field.id, '') }],
  );
  return {
    title: text('title', source.title),
    content: text('body', source.content),
    excerpt: text('excerpt', source.excerpt),
    slug: text('URL', ''),
    meta: writeMeta({ source: source.meta, previous: meta.previous, translated }, meta.config),
  };
}

/** Translated names of terms, by the id of the source term. */
export function toTermNames(texts: FieldTexts): ReadonlyMap<number, string> {
  return new Map(
    [...texts].filter(([id]) => /^t_\d+$/.test(id)).map(([id, text]) => [Number(id.slice(2)), text.trim()]),
  );
}

/** The configuration with the rules that a type declares for its meta keys. The rules of the configuration itself come first. */
export function withMetaRules(config: XmlConfig, { meta }: ContentModel, type: string): XmlConfig {
  const declared = (meta.get(type) ?? []).filter(
    ({ key, translation }) => translation !== 'ignore' && !config.fields.has(key),
  );
  if (declared.length === 0) return config;
  return {
    ...config,
    fields: new Map([
      ...config.fields,
      ...declared.map(({ key, translation }) => [key, translation] as const),
    ]),
  };
}

/** Segments of one text as they are stored: lists instead of an object for each, because a commit copies every object. */
type StoredSegments = {
  readonly id: string;
  readonly label: string;
  readonly path?: readonly string[];
  readonly ids: readonly string[];
  readonly sources: readonly string[];
  readonly before: readonly string[];
  readonly after: string;
};

type StoredField = JobField | StoredSegments;

function toStored(segments: readonly JobField[]): StoredField {
  const [first] = segments;
  if (first?.part === undefined) return first as JobField;
  const { label, path, part } = first;
  return {
    id: part,
    label,
    ...(path === undefined ? {} : { path }),
    ids: segments.map(({ id }) => id),
    sources: segments.map(({ source }) => source),
    before: segments.map(({ before = '' }) => before),
    after: segments.at(-1)?.after ?? '',
  };
}

/** The texts of a job as they are stored. */
export function toStoredFields(fields: readonly JobField[]): readonly StoredField[] {
  return [...groupBy(fields, ({ part, id }) => part ?? id).values()].map(toStored);
}

const toFields = (field: StoredField): readonly JobField[] => {
  if (!('ids' in field)) return [field];
  const { id: part, label, path, ids, sources, before, after } = field;
  return ids.map((id, index): JobField => {
    const segment = { id, label, source: sources[index] ?? '', part, before: before[index] ?? '' };
    return Object.assign(
      segment,
      path === undefined ? {} : { path },
      index === ids.length - 1 ? { after } : {},
    );
  });
};

/** The texts of a stored job. */
export function readStoredFields(stored: Json | undefined): readonly JobField[] {
  return Array.isArray(stored) ? (stored as readonly StoredField[]).flatMap(toFields) : [];
}
