import {
  ANY_TEXT,
  checkDocument,
  type DocumentRule,
  type DocumentRules,
  findFaults,
  listOf,
  mapOf,
  objectOf,
  TEXTS,
  wordOf,
} from '../../../lib/core/check-document.ts';
import { ANY, atPlace, FLAG, inForm, OBJECT, TEXT } from '../../../lib/core/check-options.ts';
import { isObject, own, UNSAFE_NAMES } from '../../../lib/core/objects.ts';
import { checkSchema } from '../../../lib/schema/check-schema.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { META_OWNERS, OFFERED_TYPES, TAKEN_BASES, TAXONOMIES, TYPES } from './built-in.ts';
import { type ContentDefinition, SUPPORTS, TAXONOMY_RIGHTS, TYPE_RIGHTS } from './content-type.ts';
import { META_KEYWORDS, META_TYPES, type MetaDefinition, TRANSLATION_RULES } from './meta-key.ts';
import { checkPermalink, isPermalink, PERMALINK_WANTED } from './permalink-tags.ts';
import { toMetaKey, toValueSchema } from './resolve-meta.ts';

const INDEXABLE: readonly string[] = ['string', 'integer', 'number', 'boolean'];

/** @throws TypeError for a schema that is not valid, a default that does not fit it, and an index that no store can keep. */
function checkMetaKey(place: string, definition: MetaDefinition, validators: Validators): void {
  const { schema, type, indexed = false, single = true } = definition;
  if (schema?.type !== undefined && schema.type !== type)
    throw new TypeError(
      `${place}.schema.type: "${String(schema.type)}" is not the type of the key, which is "${type}"`,
    );
  checkSchema(place, toValueSchema(definition));
  const key = toMetaKey('', definition);
  if (type === 'array' && key.name !== null && toValueSchema(definition).items === undefined)
    throw new TypeError(`${place}: a list needs items, the schema of its items`);
  if (indexed && !(single && INDEXABLE.includes(type)))
    throw new TypeError(
      `${place}.indexed: only a single value of type ${INDEXABLE.join(', ')} can be indexed`,
    );
  const hasDefault = definition.default !== undefined || schema?.default !== undefined;
  const validate = atPlace(place, () => validators.compile(key.schema));
  const invalid = hasDefault ? validate('default', key.default) : null;
  if (invalid !== null) throw new TypeError(`${place}.default: ${invalid.message}`);
}

/** The base of a type or taxonomy is a member of records and fixtures, and its name one of documents. */
const UNSAFE_WORDS = 'constructor and prototype';

const NAME = (most: number): DocumentRule => ({
  wanted: `a name of at most ${most} small letters, digits, hyphens and underscores that begins with a letter, other than ${UNSAFE_WORDS}`,
  fits: (value) =>
    typeof value === 'string' &&
    value.length <= most &&
    /^[a-z][a-z0-9_-]*$/.test(value) &&
    !UNSAFE_NAMES.has(value),
});
const BASE: DocumentRule = {
  wanted: `a path segment of letters, digits, hyphens and underscores that begins with a letter, other than ${UNSAFE_WORDS}`,
  fits: (value) => typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value) && !UNSAFE_NAMES.has(value),
};
const PERMALINK: DocumentRule = { wanted: PERMALINK_WANTED, fits: isPermalink };
const META_NAME: DocumentRule = {
  wanted: 'the name of a meta key',
  fits: (value) =>
    typeof value === 'string' && value !== '' && value.length <= 255 && !UNSAFE_NAMES.has(value),
};
const SHOW: DocumentRule = {
  wanted: 'true, false, or the shown name',
  fits: (value) => typeof value === 'boolean' || META_NAME.fits(value),
};
const CAPABILITY = inForm(/^\w+$/, 'a capability such as edit_posts');

const rights = (words: readonly string[]): DocumentRule =>
  objectOf(Object.fromEntries(words.map((word) => [word, CAPABILITY])));
const RIGHTS_OF_TYPE: DocumentRule = {
  ...rights(TYPE_RIGHTS),
  wanted: 'a word such as post, or an object with a capability for single rights',
  fits: (value) => CAPABILITY.fits(value) || OBJECT.fits(value),
};

const META_MEMBERS: DocumentRules = {
  ...Object.fromEntries(META_KEYWORDS.map((keyword) => [keyword, ANY])),
  type: { ...wordOf(META_TYPES), needed: true },
  description: ANY_TEXT,
  schema: OBJECT,
  default: ANY,
  single: FLAG,
  show: SHOW,
  write: CAPABILITY,
  revisions: FLAG,
  indexed: FLAG,
  translation: wordOf(TRANSLATION_RULES),
  was: META_NAME,
};

const NAMED: DocumentRules = {
  base: { ...BASE, needed: true },
  labels: objectOf({ name: TEXT, singular: TEXT }),
  description: ANY_TEXT,
  hierarchical: FLAG,
  meta: mapOf(objectOf(META_MEMBERS), META_NAME),
};

const TYPE: DocumentRules = {
  ...NAMED,
  name: { ...NAME(20), needed: true },
  hasArchive: FLAG,
  icon: TEXT,
  supports: listOf(wordOf(SUPPORTS)),
  taxonomies: TEXTS,
  capabilities: RIGHTS_OF_TYPE,
  permalink: PERMALINK,
  public: FLAG,
  readable: FLAG,
  routes: FLAG,
};

const TAXONOMY: DocumentRules = {
  ...NAMED,
  name: { ...NAME(32), needed: true },
  types: TEXTS,
  capabilities: rights(TAXONOMY_RIGHTS),
  public: FLAG,
  owns: FLAG,
};

const CONTENT = objectOf({
  core: FLAG,
  seo: FLAG,
  types: listOf(objectOf(TYPE)),
  taxonomies: listOf(objectOf(TAXONOMY)),
  meta: listOf(
    objectOf({ ...META_MEMBERS, of: { ...TEXT, needed: true }, key: { ...META_NAME, needed: true } }),
  ),
});

interface Declared {
  readonly place: string;
  readonly name: string;
  readonly base: string;
}

const placed = <T>(place: string, list: readonly T[] = []): readonly (T & { place: string })[] =>
  list.map((each, index) => ({ ...each, place: `${place}[${index}]` }));

/** @throws TypeError for a name or base that another type or taxonomy has, or that a core route has. */
function checkTaken(declared: readonly Declared[]): void {
  const names = new Map<string, string>(
    [...TYPES, ...TAXONOMIES].map(({ name }) => [name, 'the built-in one']),
  );
  for (const name of Object.keys(META_OWNERS)) names.set(name, 'a built-in one');
  const bases = new Map<string, string>(
    [...[...TYPES, ...TAXONOMIES].map(({ base }) => base), ...TAKEN_BASES].map((base) => [
      base,
      'a route of the core controllers',
    ]),
  );
  for (const { place, name, base } of declared) {
    const [owner, holder] = [names.get(name), bases.get(base)];
    if (owner !== undefined)
      throw new TypeError(`${place}.name: "${name}" is taken by ${owner}; choose another name`);
    if (holder !== undefined)
      throw new TypeError(`${place}.base: "${base}" is taken by ${holder}; choose another base`);
    names.set(name, place);
    bases.set(base, place);
  }
}

/** @throws TypeError for a reference to a type or taxonomy that is not declared. */
function checkReferences(place: string, { types = [], taxonomies = [], meta = [] }: ContentDefinition): void {
  const typeNames = new Set([...TYPES, ...types].map(({ name }) => name));
  const taxonomyNames = new Set([...TAXONOMIES, ...taxonomies].map(({ name }) => name));
  const owners = new Set([...typeNames, ...taxonomyNames, ...Object.keys(META_OWNERS)]);
  const check = (at: string, name: string, known: ReadonlySet<string>): void => {
    if (!known.has(name))
      throw new TypeError(`${at}: "${name}" does not exist; known are ${[...known].slice(0, 20).join(', ')}`);
  };
  for (const [index, type] of types.entries())
    for (const name of type.taxonomies ?? [])
      check(`${place}.types[${index}].taxonomies`, name, taxonomyNames);
  for (const [index, taxonomy] of taxonomies.entries())
    for (const name of taxonomy.types ?? []) check(`${place}.taxonomies[${index}].types`, name, typeNames);
  for (const [index, { of }] of meta.entries()) check(`${place}.meta[${index}].of`, of, owners);
}

/** @throws TypeError for an invalid schema, and for a key or a shown name that its owner has twice. */
function checkMeta(place: string, { types, taxonomies, meta }: ContentDefinition): void {
  const seen = new Set<string>();
  const owned = [...placed(`${place}.types`, types), ...placed(`${place}.taxonomies`, taxonomies)];
  const keys = [
    ...owned.flatMap((owner) =>
      Object.entries(owner.meta ?? {}).map(([key, definition]) => ({
        at: `${owner.place}.meta.${key}`,
        of: owner.name,
        key,
        definition,
      })),
    ),
    ...placed(`${place}.meta`, meta).map(({ place: at, of, key, ...definition }) => ({
      at,
      of,
      key,
      definition,
    })),
  ];
  const validators = new Validators();
  for (const { at, of, key, definition } of keys) {
    checkMetaKey(at, definition, validators);
    const shown = typeof definition.show === 'string' ? definition.show : key;
    for (const name of new Set([JSON.stringify([of, 'key', key]), JSON.stringify([of, 'shown', shown])])) {
      if (seen.has(name)) throw new TypeError(`${at}: "${of}" has the meta key "${shown}" twice`);
      seen.add(name);
    }
  }
  for (const {
    at,
    of,
    definition: { was },
  } of keys) {
    if (was === undefined) continue;
    if (seen.has(JSON.stringify([of, 'key', was])))
      throw new TypeError(
        `${at}.was: "${of}" still has the meta key "${was}"; write a name that it no longer has`,
      );
    const taken = JSON.stringify([of, 'was', was]);
    if (seen.has(taken)) throw new TypeError(`${at}.was: another meta key of "${of}" was "${was}", too`);
    seen.add(taken);
  }
}

/** @throws TypeError naming the place of the first mistake: `content.types[0].supports[2]: "titel" is not one of title, …` */
export function checkContent(place: string, definition: unknown): asserts definition is ContentDefinition {
  checkDocument(place, definition, CONTENT);
  const content = definition as ContentDefinition;
  checkTaken([
    ...placed(`${place}.types`, content.types),
    ...placed(`${place}.taxonomies`, content.taxonomies),
  ]);
  for (const { place: at, permalink } of placed(`${place}.types`, content.types))
    if (permalink !== undefined) checkPermalink(`${at}.permalink`, permalink);
  checkReferences(place, content);
  checkMeta(place, content);
}

type Members = Readonly<Record<string, unknown>>;
type Member = readonly [name: string, value: unknown];

/** Values that the recorded site describes in words. Other values pass unchanged. */
const PHRASES: Readonly<Record<string, string>> = {
  'as posts': 'post',
  'as pages': 'page',
  'only callers who may manage the settings (administrators)': 'manage_options',
};

const toPlain = (value: unknown): unknown =>
  typeof value === 'string' ? (own(PHRASES, value) ?? value) : value;

/** The words of WordPress for members of a type or taxonomy, with ours. */
const NAMES: Readonly<Record<string, string>> = {
  rest_base: 'base',
  has_archive: 'hasArchive',
  rights: 'capabilities',
  shown_as: 'show',
  shown: 'show',
};
/** The words of WordPress for labels. */
const LABELS: Readonly<Record<string, string>> = { label: 'name', singular: 'singular' };
/** The only rights of registered taxonomies in the recorded form. They are the default. */
const USUAL_TERM_RIGHTS = 'as categories';

/** @throws TypeError for a member that is given under both of its names */
function toOurWords(place: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const labels = Object.entries(value).flatMap(([name, each]) =>
    Object.hasOwn(LABELS, name) ? [[own(LABELS, name), each] as const] : [],
  );
  const members = Object.entries(value)
    .filter(
      ([name, each]) => !Object.hasOwn(LABELS, name) && !(name === 'rights' && each === USUAL_TERM_RIGHTS),
    )
    .map(([name, each]): Member => [own(NAMES, name) ?? name, toPlain(each)]);
  const all: readonly Member[] =
    labels.length === 0 ? members : [...members, ['labels', Object.fromEntries(labels)]];
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new TypeError(`${place}.${twice[0]} is given twice, under two names`);
  return Object.fromEntries(all);
}

/** A text stands for a type that WordPress has and that a site need not have. */
const toKnownType = (each: unknown): unknown =>
  typeof each === 'string' ? (OFFERED_TYPES.find(({ name }) => name === each) ?? each) : each;

const LISTS: ReadonlySet<string> = new Set(['types', 'taxonomies', 'meta']);

/**
 * Reads types, taxonomies and meta keys from a document or from code. The words of WordPress (`rest_base`, `label`, `has_archive`, …)
 * are accepted beside ours.
 * @throws TypeError naming the place of the first mistake: `content.types[0].supports[2]: "titel" is not one of title, …`
 */
export function readContent(place: string, value: unknown): ContentDefinition {
  const inOurWords = isObject(value) ? toLists(place, value) : value;
  checkContent(place, inOurWords);
  return inOurWords;
}

/** What is wrong with types, taxonomies and meta keys: all mistakes of their members, otherwise the first of what they say together. */
export function listContentFaults(place: string, value: unknown): readonly string[] {
  try {
    const faults = [...findFaults(place, isObject(value) ? toLists(place, value) : value, CONTENT)];
    if (faults.length > 0) return faults;
    readContent(place, value);
    return [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [error.message];
  }
}

function toLists(place: string, value: Members): Members {
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [
      name,
      LISTS.has(name) && Array.isArray(list)
        ? list.map((each: unknown, index) =>
            toOurWords(`${place}.${name}[${index}]`, name === 'types' ? toKnownType(each) : each),
          )
        : list,
    ]),
  );
}
