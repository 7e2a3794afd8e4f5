import type { Engine } from '../../lib/index.ts';

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
