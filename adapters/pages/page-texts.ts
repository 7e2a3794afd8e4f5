import { own } from '../../lib/core/objects.ts';
import type { Engine } from '../../lib/index.ts';

/** Plain text without characters of markup. `{}` is a placeholder. */
const ENGLISH = {
  notFound: 'Page not found',
  /** A sentence below `notFound`. */
  explanation: 'There is nothing at this address, or it has been removed.',
  /** Text of the link to the home page. */
  home: 'Go to the home page',
  searched: 'Search results for “{}”',
  nothing: 'Nothing was found.',
  /** Text of the link that leads past the header. */
  skip: 'Skip to the content',
  /** Label of the field and of its button. */
  search: 'Search',
  /** Name of the links to the other languages. */
  languages: 'Languages',
  /** Name of the links to the other pages of a list. */
  pages: 'Pages',
  previous: 'Previous page',
  next: 'Next page',
  /** Before the terms of a post. */
  topics: 'Topics',
  /** Title of a post that has none. */
  untitled: 'Untitled',
  /** In the place of the text of a post with a password. */
  protected: 'This text is protected by a password.',
  password: 'Password',
  wrongPassword: 'The password is not correct.',
  /** Text of the button that sends a password. */
  open: 'Show the text',
  /** Heading of the page where a program gets a password; `{}`: the program. */
  authorize: 'Allow {} to log in as you',
  authorizeMeaning:
    'It gets a password of its own, which you can revoke, and may then do what you may. Your password stays here.',
  /** `{}`: the host or the scheme. */
  sentTo: 'It is sent to {}.',
  user: 'Login',
  wrongLogin: 'This login and password are not accepted.',
  approve: 'Allow',
  reject: 'Refuse',
  wrongAsk: 'The program does not say who it is, or names an address to which no password may be sent.',
  rejected: 'Refused. No password was made.',
  /** Before the new password. */
  approved: 'Allowed. Copy this password into the program; it is shown this once.',
  /** Text of the link to the API. */
  api: 'API of this site',
  failed: 'The page could not be shown because of an error.',
  unavailable: 'The site is not available at the moment. Please try again soon.',
};

/** Fixed texts of the pages in one language. */
type PageTexts = Readonly<Record<keyof typeof ENGLISH, string>>;

const TEXTS: Readonly<Record<string, PageTexts>> = {
  en: ENGLISH,
  fr: {
    notFound: 'Page non trouvée',
    explanation: 'Il n’y a rien à cette adresse, ou la page a été supprimée.',
    home: 'Aller à la page d’accueil',
    searched: 'Résultats de recherche pour « {} »',
    nothing: 'Aucun résultat.',
    skip: 'Aller au contenu',
    search: 'Rechercher',
    languages: 'Langues',
    pages: 'Pages',
    previous: 'Page précédente',
    next: 'Page suivante',
    topics: 'Sujets',
    untitled: 'Sans titre',
    protected: 'Ce texte est protégé par un mot de passe.',
    password: 'Mot de passe',
    wrongPassword: 'Le mot de passe n’est pas correct.',
    open: 'Afficher le texte',
    authorize: 'Autoriser {} à se connecter en votre nom',
    authorizeMeaning:
      'L’application reçoit son propre mot de passe, que vous pouvez révoquer, et pourra faire ce que vous pouvez faire. Votre mot de passe reste ici.',
    sentTo: 'Il est envoyé à {}.',
    user: 'Identifiant',
    wrongLogin: 'Cet identifiant et ce mot de passe ne sont pas acceptés.',
    approve: 'Autoriser',
    reject: 'Refuser',
    wrongAsk:
      'L’application ne dit pas son nom, ou donne une adresse à laquelle aucun mot de passe ne peut être envoyé.',
    rejected: 'Refusé. Aucun mot de passe n’a été créé.',
    approved: 'Autorisé. Copiez ce mot de passe dans l’application ; il n’est affiché qu’une fois.',
    api: 'API de ce site',
    failed: 'La page n’a pas pu être affichée à cause d’une erreur.',
    unavailable: 'Le site n’est pas disponible pour le moment. Réessayez bientôt.',
  },
  nl: {
    notFound: 'Pagina niet gevonden',
    explanation: 'Op dit adres staat niets, of de pagina is verwijderd.',
    home: 'Naar de startpagina',
    searched: 'Zoekresultaten voor ‘{}’',
    nothing: 'Er is niets gevonden.',
    skip: 'Naar de inhoud',
    search: 'Zoeken',
    languages: 'Talen',
    pages: 'Pagina’s',
    previous: 'Vorige pagina',
    next: 'Volgende pagina',
    topics: 'Onderwerpen',
    untitled: 'Zonder titel',
    protected: 'Deze tekst is beveiligd met een wachtwoord.',
    password: 'Wachtwoord',
    wrongPassword: 'Het wachtwoord is niet juist.',
    open: 'Tekst tonen',
    authorize: '{} toestaan om als u in te loggen',
    authorizeMeaning:
      'Het programma krijgt een eigen wachtwoord, dat u kunt intrekken, en mag dan wat u mag. Uw wachtwoord blijft hier.',
    sentTo: 'Het wordt gestuurd naar {}.',
    user: 'Inlognaam',
    wrongLogin: 'Deze inlognaam en dit wachtwoord worden niet geaccepteerd.',
    approve: 'Toestaan',
    reject: 'Weigeren',
    wrongAsk:
      'Het programma zegt niet wie het is, of noemt een adres waarheen geen wachtwoord mag worden gestuurd.',
    rejected: 'Geweigerd. Er is geen wachtwoord gemaakt.',
    approved: 'Toegestaan. Kopieer dit wachtwoord naar het programma; het wordt maar één keer getoond.',
    api: 'API van deze site',
    failed: 'De pagina kon door een fout niet worden getoond.',
    unavailable: 'De site is op dit moment niet beschikbaar. Probeer het straks opnieuw.',
  },
};

/** The texts of a language; English where it has none, as in the heads of pages. */
export const textsOf = (language: string): PageTexts => own(TEXTS, language) ?? ENGLISH;

type Prefixed = Pick<Engine, 'prefixes'>;

/** The language in which the API is asked about a page: that of the page, or the first one for a page in a language without a prefix. */
export const toApiLanguage = ({ prefixes }: Prefixed, language: string): string =>
  prefixes.includes(language) ? language : (prefixes[0] ?? language);

/** The path of the home page of a language; that of the site for a language without a prefix. */
export const toHomePath = ({ prefixes }: Prefixed, language: string): string =>
  prefixes.includes(language) ? `/${language}/` : '/';

/** How people of a language write its name and dates. */
interface Written {
  readonly name: string;
  readonly dates: Intl.DateTimeFormat;
}

function writeIn(language: string): Written {
  try {
    const [first = '', ...rest] =
      new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return {
      name: first.toLocaleUpperCase(language) + rest.join(''),
      dates: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The code of a site's language need not be a language tag.
    return { name: language, dates: new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }) };
  }
}

// Making these takes milliseconds. A site has a fixed number of languages.
const written = new Map<string, Written>();

function writtenIn(language: string): Written {
  const known = written.get(language) ?? writeIn(language);
  written.set(language, known);
  return known;
}

/** The name of a language in that language: `Français` for `fr`. */
export const toLanguageName = (language: string): string => writtenIn(language).name;

/** A day as people of the language write it. `date`: site time, no offset. '' for what is not a date. */
export function toDay(language: string, date: string): string {
  const time = Date.parse(`${date}Z`);
  return Number.isNaN(time) ? '' : writtenIn(language).dates.format(time);
}
