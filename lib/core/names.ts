import {
  checkOption,
  checkOptions,
  inForm,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
} from './check-options.ts';
import { deepFreeze, own, perObject } from './objects.ts';

/**
 * The vendor names of one dialect of the interface, as data. Descriptors and handlers use neutral names (left side);
 * requests and responses use wire names (right side). Both sides are unique, so the map can be reversed.
 */
export interface Names {
  /** Path segment after the language: `cms-json`; `WORDPRESS_NAMES` have `wp-json`. */
  readonly apiSegment: string;
  /** Prefix of headers such as `X-CMS-Total`: `X-CMS`; `X-WP`. */
  readonly headerPrefix: string;
  /** Link relation under which pages name the API: `cms:api`; `https://api.w.org/`. */
  readonly apiRelation: string;
  /** Whole segments of paths and namespaces: `{}`; `{ cms: 'wp', … }`. */
  readonly segments: Readonly<Record<string, string>>;
  /** Prefix of link relations and block comments: `cms`; `wp`. */
  readonly curie: { readonly neutral: string; readonly wire: string; readonly href: string };
  /** Parameters and fields: `{}`; `{ ml_language: 'wpml_language', … }`. */
  readonly params: Readonly<Record<string, string>>;
}

/** The names of an engine that is given none. Nothing is renamed. */
export const PLAIN_NAMES: Names = deepFreeze({
  apiSegment: '',
  headerPrefix: 'X',
  apiRelation: 'service-desc',
  segments: {},
  curie: { neutral: '', wire: '', href: '' },
  params: {},
});

/** A namespace, pattern or path with its segments renamed. */
export function renamePath(names: Names, path: string): string {
  return path
    .split('/')
    .map((segment) => own(names.segments, segment) ?? segment)
    .join('/');
}

/** The wire name of a parameter or field. */
export function renameParam(names: Names, param: string): string {
  return own(names.params, param) ?? param;
}

/** The wire form of a link relation. */
export function renameRelation(names: Names, relation: string): string {
  const prefix = `${names.curie.neutral}:`;
  return relation.startsWith(prefix) ? `${names.curie.wire}:${relation.slice(prefix.length)}` : relation;
}

/** A vendor header: `vendorHeader(names, 'Total')` is `X-CMS-Total`. */
export function vendorHeader(names: Names, name: string): string {
  return `${names.headerPrefix}-${name}`;
}

/** Creates a value once per dialect. A map of names never changes. */
export const perNames: <T>(make: (names: Names) => T) => (names: Names) => T = perObject;

const WORD: OptionRule = {
  ...inForm(/^[\w-]+$/, 'letters, digits, hyphens and underscores'),
  needed: true,
};
const NEEDED_TEXT: OptionRule = { ...TEXT, needed: true };
const NEEDED_MAP: OptionRule = { ...OBJECT, needed: true };

const RULES: Readonly<Record<keyof Names, OptionRule>> = {
  apiSegment: WORD,
  headerPrefix: WORD,
  apiRelation: NEEDED_TEXT,
  segments: NEEDED_MAP,
  curie: NEEDED_MAP,
  params: NEEDED_MAP,
};
const CURIE: OptionRules = {
  neutral: NEEDED_TEXT,
  wire: NEEDED_TEXT,
  href: { wanted: 'a text', fits: (value) => typeof value === 'string', needed: true },
};

/** @throws TypeError naming the name that is missing or cannot be a wire name, or the map in which two neutral names have the same wire name */
export function checkNames(names: Names): void {
  checkOptions('names', names, RULES);
  checkOptions('curie of names', names.curie, CURIE);
  for (const [label, map] of [
    ['segments', names.segments],
    ['params', names.params],
  ] as const) {
    for (const [neutral, wire] of Object.entries(map))
      checkOption([neutral, `${label} of names`], wire, WORD);
    const wire = Object.values(map);
    if (new Set(wire).size !== wire.length)
      throw new TypeError(`names: ${label} holds the same wire name twice`);
  }
}
