import { isObject, own } from '../../../lib/core/objects.ts';
import { toSlug } from '../../core/content/slug.ts';
import type { XmlElement } from '../../core/content/xml.ts';
import { found, leftOut, type Item, notRegistered, type ReadResult } from '../items/item.ts';
import { findLanguageFault } from '../items/read-context.ts';
import { readMetaText } from './wxr-meta.ts';
import { readMetaAndSeo } from './wxr-seo.ts';
import { childId, childText, readMetaEntries, toUser, type Translation, type WxrState } from './wxr-state.ts';

/** A user of the site. Passwords, roles and descriptions are not part of the format. */
export function readAuthor(state: WxrState, element: XmlElement, place: string): ReadResult {
  const login = childText(element, 'wp:author_login').trim();
  if (login === '') return leftOut(place, 'author', 'it has no login');
  if (state.findUser(login) !== undefined)
    return leftOut(place, `author ${login}`, 'the login is declared twice');
  return found(
    toUser(state, {
      place,
      id: childId(element, 'wp:author_id'),
      login,
      email: childText(element, 'wp:author_email').trim(),
      name: childText(element, 'wp:author_display_name'),
      first_name: childText(element, 'wp:author_first_name'),
      last_name: childText(element, 'wp:author_last_name'),
    }),
  );
}

interface TermNames {
  /** '': the element `wp:term_taxonomy` names it. */
  readonly taxonomy: string;
  readonly slug: string;
  readonly parent: string;
  readonly name: string;
  readonly description: string;
}

const toNames = (prefix: string): Omit<TermNames, 'taxonomy'> => ({
  slug: `wp:${prefix}_slug`,
  parent: `wp:${prefix}_parent`,
  name: `wp:${prefix}_name`,
  description: `wp:${prefix}_description`,
});

/** The elements that declare terms. */
export const TERM_ELEMENTS: Readonly<Record<string, TermNames>> = {
  'wp:category': {
    ...toNames('category'),
    taxonomy: 'category',
    slug: 'wp:category_nicename',
    name: 'wp:cat_name',
  },
  'wp:tag': { ...toNames('tag'), taxonomy: 'post_tag' },
  'wp:term': { ...toNames('term'), taxonomy: '' },
};

/** A term as the file declares it. Terms are complete once all of them are known. */
interface DeclaredTerm {
  readonly element: XmlElement;
  readonly place: string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly id: number;
}

/** A term with the language and the group that the file gives it. */
interface TranslatedTerm extends DeclaredTerm {
  readonly translation: Translation;
}

/** Taxonomy of Polylang whose terms list the translations of other terms. */
const TERM_GROUPS = 'term_translations';
/** Taxonomies that plugins for translations and themes use. They are read, not stored. */
const SILENT: ReadonlySet<string> = new Set([
  'language',
  'post_translations',
  'term_language',
  TERM_GROUPS,
  'post_format',
]);
const LANGUAGE_META = 'wpml_language';
const KNOWN_KEYS: ReadonlySet<string> = new Set([LANGUAGE_META]);

/** Collects the terms of the file and yields them once all are known. */
export class TermReader {
  readonly #state: WxrState;
  #declared: DeclaredTerm[] = [];

  constructor(state: WxrState) {
    this.#state = state;
  }

  declare(element: XmlElement, place: string): void {
    const names = own(TERM_ELEMENTS, element.name) as TermNames;
    const taxonomy = names.taxonomy || childText(element, 'wp:term_taxonomy').trim();
    const name = childText(element, names.name);
    const slug = toSlug(childText(element, names.slug)) || toSlug(name);
    const id = childId(element, 'wp:term_id') || this.#state.makeId('term', taxonomy, slug);
    if (taxonomy === TERM_GROUPS) this.#readGroup(slug, childText(element, names.description));
    this.#declared.push({ element, place, taxonomy, slug, id });
  }

  /** Polylang lists the terms of a group by language. */
  #readGroup(group: string, description: string): void {
    const terms = readMetaText(description);
    if (!isObject(terms)) return;
    for (const [language, id] of Object.entries(terms))
      this.#state.termTranslations.set(Number(id), { language, group });
  }

  /** The declared terms. Parents may be declared after their children. */
  *take(): Generator<ReadResult> {
    const terms = this.#declared;
    this.#declared = [];
    const isKnown = ({ taxonomy }: DeclaredTerm): boolean =>
      this.#state.context.content.taxonomies.has(taxonomy);
    const stored = terms.filter(isKnown).flatMap((term): readonly TranslatedTerm[] => {
      const { taxonomy, slug } = term;
      const translation = this.#translationOf(term);
      if (slug === '') return [{ ...term, translation, id: 0 }];
      const { language } = translation;
      const first = this.#state.findTerm({ taxonomy, slug, language: '' });
      // Some exports declare a term as <wp:category> and as <wp:term>. The first counts. Languages may have terms with one slug.
      if (first === term.id || this.#state.findTerm({ taxonomy, slug, language }) !== undefined) return [];
      const name = { taxonomy, slug, language: language || this.#state.context.language };
      const id = this.#state.addTerm(name, term.id);
      // A group has one term of an id.
      return [{ ...term, id, translation: id === term.id ? translation : { language, group: '' } }];
    });
    for (const term of stored) yield* this.#toItem(term);
    for (const term of terms.filter((each) => !isKnown(each))) {
      if (!SILENT.has(term.taxonomy))
        yield leftOut(
          term.place,
          `term of ${term.taxonomy || 'no taxonomy'}`,
          notRegistered('taxonomy', term.taxonomy),
        );
    }
  }

  #translationOf({ element, id }: DeclaredTerm): Translation {
    const [language = ''] = readMetaEntries(element, 'termmeta').get(LANGUAGE_META) ?? [];
    return this.#state.termTranslations.get(id) ?? { language, group: '' };
  }

  *#toItem(term: TranslatedTerm): Generator<ReadResult> {
    const { element, place, taxonomy, slug, id, translation } = term;
    const { context } = this.#state;
    const names = own(TERM_ELEMENTS, element.name) as TermNames;
    if (slug === '') yield leftOut(place, `term of ${taxonomy}`, 'it has neither a slug nor a name');
    if (slug === '') return;
    const entries = readMetaEntries(element, 'termmeta');
    const meta = readMetaAndSeo(context, { place, entries }, { of: taxonomy, known: KNOWN_KEYS });
    const language = translation.language || context.language;
    const above = childText(element, names.parent).trim();
    const parent = above === '' ? 0 : this.#state.findTermFor({ taxonomy, slug: toSlug(above), language });
    if (parent === undefined)
      yield leftOut(place, `parent of the term ${slug}`, `there is no term ${above} in ${taxonomy}`);
    yield* meta.leftOut;
    const fault = findLanguageFault(language, context);
    if (fault !== undefined) {
      yield leftOut(place, `term of ${taxonomy}`, fault);
      return;
    }
    const values: Item['values'] = {
      taxonomy,
      slug,
      name: childText(element, names.name) || slug,
      parent: parent ?? 0,
      description: childText(element, names.description),
      language,
      group: this.#state.toGroup('terms', translation, id),
      ...meta.values,
    };
    yield found({ place, collection: 'terms', id, values });
  }
}
