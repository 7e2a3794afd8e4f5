import { isObject, own } from '../../../lib/core/objects.ts';

const LANGUAGE_FIELDS = ['wpml_language', 'ml_language', 'lang', 'polylang_current_lang'];
const FIELDS = ['wpml_translations', 'ml_translations', 'translations'];

/** The translations that a record names. Plugins show ids by language, or a list of records with a locale. */
function readNamed(shown: Readonly<Record<string, unknown>>, languages: readonly string[]) {
  const named = FIELDS.map((field) => own(shown, field)).find(
    (each) => isObject(each) || Array.isArray(each),
  );
  const all = Object.entries(named ?? {})
    .map(([key, each]) =>
      isObject(each)
        ? { language: ofLocale(String(each['locale'] ?? key), languages), id: Number(each['id']) }
        : { language: key, id: Number(each) },
    )
    .filter(({ id }) => Number.isSafeInteger(id) && id > 0);
  return { all, isList: Array.isArray(named) };
}

/** The translations that a record names in languages other than these. */
export const listForeign = (shown: Readonly<Record<string, unknown>>, languages: readonly string[]) =>
  readNamed(shown, languages).all.filter(({ language }) => !languages.includes(language));

/** The translation group of a record: the lowest of its id and those of the translations that it names; 0 for none. */
export function groupOf(shown: Readonly<Record<string, unknown>>): number {
  const { all, isList } = readNamed(shown, []);
  const id = Number(own(shown, 'id'));
  const others = all.map((each) => each.id).filter((each) => each !== id);
  if (others.length === 0) return 0;
  // A list has only what is published, so that others do not name a draft.
  const isNamed = !isList || own(shown, 'status') === 'publish';
  return Math.min(...(isNamed ? [id] : []), ...others);
}

/** The language of a locale such as `pt_BR`; the locale itself if it has none of these. */
function ofLocale(name: string, languages: readonly string[]): string {
  const locale = name.replace('_', '-').toLowerCase();
  return languages.find((each) => [locale, locale.split('-')[0]].includes(each.toLowerCase())) ?? locale;
}

/** The language that a record names, by itself or by a locale such as `pt_BR`; '' if it names none. */
export function namedLanguageOf(
  shown: Readonly<Record<string, unknown>>,
  languages: readonly string[],
): string {
  const textOf = (field: string): string => {
    const value = own(shown, field);
    return typeof value === 'string' ? value : '';
  };
  const named = LANGUAGE_FIELDS.map(textOf).find((language) => language !== '');
  return named ?? ofLocale(textOf('wpml_current_locale'), languages);
}
