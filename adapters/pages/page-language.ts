import type { Engine } from '../../lib/index.ts';

type Prefixed = Pick<Engine, 'prefixes'>;

/** The language in which the API is asked about a page: that of the page, or the first one for a page in a language without a prefix. */
export const toApiLanguage = ({ prefixes }: Prefixed, language: string): string => (prefixes.includes(language) ? language : prefixes[0] ?? language);

/** The path of the home page of a language; that of the site for a language without a prefix. */
export const toHomePath = ({ prefixes }: Prefixed, language: string): string => (prefixes.includes(language) ? `/${language}/` : '/');
