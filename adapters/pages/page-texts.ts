import { own } from '../../lib/core/objects.ts';

/** Fixed texts of the pages in one language: plain text. `{}` is a placeholder. */
export interface PageTexts {
  readonly notFound: string;
  /** A sentence below `notFound`. */
  readonly explanation: string;
  /** Text of the link to the home page. */
  readonly home: string;
  readonly searched: string;
  readonly nothing: string;
}

const ENGLISH: PageTexts = {
  notFound: 'Page not found', explanation: 'There is nothing at this address, or it has been removed.', home: 'Go to the home page', searched: 'Search results for “{}”', nothing: 'Nothing was found.',
};

const TEXTS: Readonly<Record<string, PageTexts>> = {
  en: ENGLISH,
  fr: {
    notFound: 'Page non trouvée', explanation: 'Il n’y a rien à cette adresse, ou la page a été supprimée.', home: 'Aller à la page d’accueil', searched: 'Résultats de recherche pour « {} »', nothing: 'Aucun résultat.',
  },
  nl: {
    notFound: 'Pagina niet gevonden', explanation: 'Op dit adres staat niets, of de pagina is verwijderd.', home: 'Naar de startpagina', searched: 'Zoekresultaten voor ‘{}’', nothing: 'Er is niets gevonden.',
  },
};

/** The texts of a language; English where it has none, as in the heads of pages. */
export const textsOf = (language: string): PageTexts => own(TEXTS, language) ?? ENGLISH;
