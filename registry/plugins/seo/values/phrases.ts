import { own } from '../../../plugin.ts';

/** Fixed texts of a head in one language. `{}` is a placeholder for a name or a number. */
export interface Phrases {
  readonly locale: string;
  readonly home: string;
  readonly notFound: string;
  readonly search: string;
  readonly archive: string;
  readonly author: string;
  readonly protected: string;
  readonly page: string;
  readonly writtenBy: string;
  readonly readingTime: string;
  readonly minute: string;
  readonly minutes: string;
}

const ENGLISH: Phrases = {
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
