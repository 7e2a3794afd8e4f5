import type { Store } from '../../../../lib/index.ts';
import {
  type AddressSources,
  type createFindFilled,
  own,
  type SiteSettings,
  type TermRecord,
  type TypedAddress,
} from '../../../plugin.ts';
import type { SeoConfig } from './config.ts';
import { type HeadFacts, NO_META, type SiteFacts } from './head-facts.ts';

/** Fixed texts of a head in one language. `{}` is a placeholder for a name or a number. */
const ENGLISH = {
  locale: 'en_US',
  home: 'Home',
  notFound: 'Page not found',
  search: 'You searched for {}',
  archive: '{} Archives',
  author: '{}, Author',
  protected: 'Protected: {}',
  page: 'Page {}',
  writtenBy: 'Written by',
  readingTime: 'Est. reading time',
  minute: '{} minute',
  minutes: '{} minutes',
};

export type Phrases = Readonly<typeof ENGLISH>;

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: ENGLISH,
  fr: {
    locale: 'fr_FR',
    home: 'Accueil',
    notFound: 'Page non trouvée',
    search: 'Vous avez cherché {}',
    archive: 'Archives des {}',
    author: '{}, auteur/autrice',
    protected: 'Protégé : {}',
    page: 'Page {}',
    writtenBy: 'Écrit par',
    readingTime: 'Durée de lecture estimée',
    minute: '{} minute',
    minutes: '{} minutes',
  },
  nl: {
    locale: 'nl_NL',
    home: 'Home',
    notFound: 'Pagina niet gevonden',
    search: 'Je zocht naar {}',
    archive: '{} Archieven',
    author: '{}, auteur',
    protected: 'Beveiligd: {}',
    page: 'Pagina {}',
    writtenBy: 'Geschreven door',
    readingTime: 'Geschatte leestijd',
    minute: '{} minuut',
    minutes: '{} minuten',
  },
};

/** The phrases of a language; English when the language has none. */
export function phrasesOf(language: string): Phrases {
  return own(PHRASES, language) ?? ENGLISH;
}

/** Fills the placeholder of a phrase. */
export function fill(phrase: string, value: string | number): string {
  return phrase.replace('{}', () => String(value));
}

/** Everything needed to gather the facts of one page. */
export interface PageContext {
  readonly store: Store;
  readonly config: SeoConfig;
  readonly site: SiteFacts;
  readonly settings: SiteSettings;
  readonly findFilled: ReturnType<typeof createFindFilled>;
  readonly sources: AddressSources;
  /** Languages of the site, with the default one first. */
  readonly languages: readonly string[];
  /** The languages with addresses of their own. Only they are alternates. */
  readonly served: ReadonlySet<string>;
  readonly language: string;
  readonly phrases: Phrases;
  /** Loads what the addresses of posts need. The function returns the address of one of them. */
  addressesOf(posts: readonly TypedAddress[]): Promise<(post: TypedAddress) => string>;
  /** Loads what the addresses of terms need. The function returns the address of one of them. A term without a language is shown in that of the page. */
  termAddressesOf(terms: readonly TermRecord[]): Promise<(term: TermRecord) => string>;
  /** Absolute URL of a path below the site. */
  absolute(path: string): string;
  /** URL of the home page of a language, with a trailing slash. */
  home(language: string): string;
  /** The context for a page in another language. */
  in(language: string): Promise<PageContext>;
}

/** A title of these parts; '' is none. */
export const joinTitle = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' - ');

/** Completes the facts of a page with defaults. The default title is the heading followed by the name of the site. */
export function toPageFacts(
  context: PageContext,
  own: Partial<HeadFacts> & Pick<HeadFacts, 'kind' | 'url' | 'heading'>,
): HeadFacts {
  const home = { name: context.phrases.home, url: context.home(context.language) };
  return {
    language: context.language,
    title: joinTitle(own.heading, context.site.name),
    description: '',
    opening: '',
    meta: NO_META,
    site: context.site,
    article: null,
    person: null,
    images: [],
    alternates: {},
    isProtected: false,
    previous: '',
    next: '',
    trail: own.url === home.url ? [home] : [home, { name: own.heading, url: own.url }],
    ...own,
    defaultAlternate: toDefault(context, own.alternates ?? {}),
  };
}

/** The URL for readers of any other language: the page in the first language of the site that has it. */
export function toDefault(
  { languages }: Pick<PageContext, 'languages'>,
  alternates: Readonly<Record<string, string>>,
): string {
  return (
    languages.map((language) => own(alternates, language)).find((address) => address !== undefined) ?? ''
  );
}

/** The facts of the "not found" page. */
export function toErrorPage(context: PageContext): HeadFacts {
  return toPageFacts(context, {
    kind: 'error',
    url: '',
    heading: fill(context.phrases.notFound, ''),
    trail: [],
  });
}
