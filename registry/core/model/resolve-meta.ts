import { defined } from '../../../lib/core/objects.ts';
import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';
import { FOOTNOTES } from './built-in.ts';
import type { MetaDeclaration, Support } from './content-type.ts';
import {
  type MetaType,
  META_KEYWORDS,
  type MetaDefinition,
  type MetaDefinitions,
  type MetaKey,
} from './meta-key.ts';

/** The value of a key without a value and without a default. */
export const EMPTY: Readonly<Record<MetaType, Json>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

/** As in WordPress, an object has no members but those that its schema declares. */
function toClosed(schema: ArgSchema): ArgSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: toClosed(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, toClosed(each)]),
          ),
          additionalProperties: additionalProperties ?? false,
        }),
  };
}

/** The schema of one value. */
export function toValueSchema(definition: MetaDefinition): ArgSchema {
  const { title, description, type, schema = {} } = definition;
  const keywords = META_KEYWORDS.flatMap((keyword) =>
    definition[keyword] === undefined ? [] : [[keyword, definition[keyword]] as const],
  );
  return toClosed({
    ...defined({ title, description }),
    type,
    ...Object.fromEntries(keywords),
    ...schema,
  });
}

/** Fills in the defaults of a key. */
export function toMetaKey(key: string, definition: MetaDefinition): MetaKey {
  const {
    type,
    single = true,
    show = true,
    write = null,
    revisions = false,
    indexed = false,
    translation = 'ignore',
    was = null,
  } = definition;
  const { title = '', description, ...value } = toValueSchema(definition);
  const described = { title, ...defined({ description }) };
  const given = definition.default ?? value.default;
  const usual = given ?? (single ? EMPTY[type] : []);
  // As in WordPress, the default of a list key is that of its items, and a record without values has none.
  const schema: ArgSchema = single
    ? { ...described, ...value, default: usual }
    : {
        ...defined({ description }),
        type: 'array',
        items: {
          ...described,
          ...value,
          default: Array.isArray(given) ? EMPTY[type] : (given ?? EMPTY[type]),
        },
      };
  return {
    key,
    name: show === false ? null : show === true ? key : show,
    type,
    single,
    default: single || Array.isArray(usual) ? usual : [usual],
    schema,
    write,
    revisions,
    indexed,
    translation,
    was,
  };
}

/** Types share them. */
const FOOTNOTE_KEYS = Object.entries(FOOTNOTES).map(([key, definition]) => toMetaKey(key, definition));

/** What has meta keys. */
interface MetaOwner {
  readonly name: string;
  readonly features?: ReadonlySet<Support>;
  /** Keys that its own definition declares. */
  readonly declared?: MetaDefinitions | undefined;
}

function hasFootnotes(features: ReadonlySet<Support> | undefined): boolean {
  return (
    features !== undefined &&
    (['editor', 'custom-fields', 'revisions'] as const).every((word) => features.has(word))
  );
}

/** The keys of a type, a taxonomy, users or comments: those of its definition, those declared apart from it, and footnotes. */
export function toMetaKeys(
  { name, features, declared = {} }: MetaOwner,
  meta: readonly MetaDeclaration[],
): readonly MetaKey[] {
  const apart = meta
    .filter(({ of }) => of === name)
    .map(({ of: _of, key, ...definition }) => toMetaKey(key, definition));
  const all = [...Object.entries(declared).map(([key, definition]) => toMetaKey(key, definition)), ...apart];
  if (!hasFootnotes(features) || all.some(({ key }) => Object.hasOwn(FOOTNOTES, key))) return all;
  return [...all, ...FOOTNOTE_KEYS];
}

export const TEXT = {
  type: 'string',
  maxLength: 1000,
  revisions: true,
  translation: 'translate',
} as const satisfies MetaDefinition;
/** An absolute web address; '' for none. */
export const ADDRESS = {
  type: 'string',
  maxLength: 2048,
  pattern: '^(?:https?://[^ ]+)?$',
  revisions: true,
} as const satisfies MetaDefinition;
export const FLAG = {
  type: 'boolean',
  revisions: true,
  translation: 'copy',
} as const satisfies MetaDefinition;

const text = (description: string): MetaDefinition => ({ ...TEXT, description });
const flag = (description: string): MetaDefinition => ({ ...FLAG, description });

/** What editors enter about a page for search engines and social networks. The heads of `seo/v1` show it. */
export const SEO_KEYS: MetaDefinitions = {
  seo_title: text('Title of the page for search engines. May contain variables such as %%title%%.'),
  seo_description: text('Summary of the page for search engines. May contain variables.'),
  seo_keyphrase: text('The words with which the page should be found.'),
  seo_canonical: {
    ...ADDRESS,
    description: 'Address under which search engines list the page; empty for its own.',
  },
  seo_noindex: flag('Whether search engines are asked not to list the page.'),
  seo_nofollow: flag('Whether search engines are asked not to follow the links of the page.'),
  seo_og_title: text('Title of the page on social networks. May contain variables.'),
  seo_og_description: text('Summary of the page on social networks. May contain variables.'),
  seo_og_image: {
    ...ADDRESS,
    translation: 'copy',
    description: 'Address of the picture on social networks.',
  },
  seo_twitter_title: text('Title of the page on cards. May contain variables.'),
  seo_twitter_description: text('Summary of the page on cards. May contain variables.'),
  seo_cornerstone: flag(
    'Whether the page is one of the most important of the site. The workouts list such pages.',
  ),
};
