import { isObject } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { OFFERED_TYPES } from '../../core/model/built-in.ts';
import { createContentModel, joinContent } from '../../core/model/content-model.ts';
import type {
  ContentDefinition,
  ContentTypeDefinition,
  MetaDeclaration,
  TaxonomyDefinition,
} from '../../core/model/content-type.ts';
import type { MetaType } from '../../core/model/meta-key.ts';
import { listContentFaults, readContent } from '../../core/model/read-content.ts';
import type { Undeclared } from './item.ts';

/** Types and taxonomies in which WordPress keeps parts of its editor and themes. */
const INTERNAL =
  /^(?:wp_(?!block$)\w+|nav_menu(?:_item)?|custom_css|customize_changeset|oembed_cache|user_request|revision)$/;

const isInteger = (value: Json): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) : /^(?:0|-?[1-9]\d{0,14})$/.test(String(value));
const isNumber = (value: Json): boolean =>
  typeof value === 'number' || /^-?\d{1,15}(?:\.\d{1,15})?$/.test(String(value));
/** WordPress stores true as `1` and false as an empty text. */
const isBoolean = (value: Json): boolean => typeof value === 'boolean' || value === '1';

/** Types by what all values are, the narrowest first. */
const GUESSES: readonly (readonly [type: MetaType, fits: (value: Json) => boolean])[] = [
  ['array', Array.isArray],
  ['object', isObject],
  ['boolean', isBoolean],
  ['integer', isInteger],
  ['number', isNumber],
  ['string', (value) => typeof value !== 'object'],
];

/** What may be in lists and objects: a person knows better. */
const MEMBERS: Readonly<Partial<Record<MetaType, Pick<MetaDeclaration, 'items' | 'additionalProperties'>>>> =
  {
    array: { items: {} },
    object: { additionalProperties: true },
  };

/** What the values of a meta key have shown so far. */
class Guess {
  #types = GUESSES;
  /** Whether some values are empty texts, and some are not. */
  #isEmpty = false;
  #isFilled = false;
  #isSingle = true;

  add(values: readonly Json[]): void {
    if (values.length > 1) this.#isSingle = false;
    for (const value of values) {
      if (value === '') this.#isEmpty = true;
      else {
        this.#isFilled = true;
        this.#types = this.#types.filter(([, fits]) => fits(value));
      }
    }
  }

  /** null: the values have nothing in common. */
  finish(): { readonly type: MetaType; readonly single: boolean } | null {
    if (!this.#isFilled) return { type: 'string', single: this.#isSingle };
    // A text that is always `1` is a number, unless it can be empty as well.
    const first = this.#types.find(([type]) => type !== 'boolean' || this.#isEmpty);
    return first === undefined ? null : { type: first[0], single: this.#isSingle };
  }
}

/** A declaration that a site would need for a source, and what no declaration can hold. */
export interface SuggestedContent {
  /** The declaration. */
  readonly content: ContentDefinition;
  /** `meta key a b of post`: names and values that a site cannot have. */
  readonly impossible: readonly string[];
}

type Addition = Pick<ContentDefinition, 'types' | 'taxonomies' | 'meta'>;

const isPossible = (content: ContentDefinition): boolean => {
  if (listContentFaults('content', content).length > 0) return false;
  try {
    createContentModel(readContent('content', content));
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
};

/** Collects what a source has and a site does not declare, and makes a declaration of it. */
export class ContentSuggestion {
  readonly #types = new Set<string>();
  readonly #taxonomies = new Map<string, Set<string>>();
  readonly #meta = new Map<string, { readonly of: string; readonly key: string; readonly guess: Guess }>();

  /** What to add to the declaration. */
  add({ kind, name, of, values = [] }: Undeclared): void {
    if (INTERNAL.test(name) || INTERNAL.test(of)) return;
    if (kind === 'type') this.#types.add(name);
    else if (kind === 'taxonomy') {
      const types = this.#taxonomies.get(name) ?? new Set<string>();
      if (of !== '') types.add(of);
      this.#taxonomies.set(name, types);
    } else {
      const id = JSON.stringify([of, name]);
      const known = this.#meta.get(id) ?? { of, key: name, guess: new Guess() };
      known.guess.add(values);
      this.#meta.set(id, known);
    }
  }

  *#list(): Generator<readonly [what: string, addition: Addition]> {
    const toBase = (name: string): string => name.replaceAll('_', '-');
    for (const name of this.#types) {
      const type: ContentTypeDefinition = OFFERED_TYPES.find((each) => each.name === name) ?? {
        name,
        base: toBase(name),
        supports: ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'custom-fields'],
      };
      yield [`type ${name}`, { types: [type] }];
    }
    for (const [name, types] of this.#taxonomies) {
      const taxonomy: TaxonomyDefinition = { name, base: toBase(name), types: [...types] };
      yield [`taxonomy ${name}`, { taxonomies: [taxonomy] }];
    }
    for (const { of, key, guess } of this.#meta.values()) {
      const found = guess.finish();
      const meta: readonly MetaDeclaration[] =
        found === null
          ? []
          : [
              {
                of,
                key,
                type: found.type,
                ...MEMBERS[found.type],
                ...(found.single ? {} : { single: false }),
                // As in WordPress, keys with a leading underscore are not for readers.
                ...(key.startsWith('_') ? { show: false } : {}),
              },
            ];
      yield [`meta key ${key} of ${of}`, { meta }];
    }
  }

  /** The declaration of the site with what the source needs. */
  finish(site: ContentDefinition): SuggestedContent {
    let content = site;
    const impossible: string[] = [];
    for (const [what, addition] of this.#list()) {
      const next = joinContent(content, addition);
      const adds = Object.values(addition).some((list) => list.length > 0);
      if (adds && isPossible(next)) content = next;
      else impossible.push(what);
    }
    return { content, impossible };
  }
}
