import { isObject, own } from '../../../lib/core/objects.ts';

const LANGUAGE_FIELDS = ['wpml_language', 'ml_language', 'lang', 'polylang_current_lang'];
const FIELDS = ['wpml_translations', 'ml_translations', 'translations'];

/** The translation group of a record: the lowest of its id and those of the translations that it names; 0 for none. Plugins show ids by language, or a list of records. */
export function groupOf(shown: Readonly<Record<string, unknown>>): number {
  const named = FIELDS.map((field) => own(shown, field)).find(
    (each) => isObject(each) || Array.isArray(each),
  );
  const ids = Object.values(named ?? {}).map((each) => Number(isObject(each) ? each['id'] : each));
  const id = Number(own(shown, 'id'));
  const others = ids.filter((each) => Number.isSafeInteger(each) && each > 0 && each !== id);
  if (others.length === 0) return 0;
  // A list has only what is published, so that others do not name a draft.
  const isNamed = !Array.isArray(named) || own(shown, 'status') === 'publish';
  return Math.min(...(isNamed ? [id] : []), ...others);
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
  if (named !== undefined) return named;
  const locale = textOf('wpml_current_locale').replace('_', '-').toLowerCase();
  return languages.find((each) => [locale, locale.split('-')[0]].includes(each.toLowerCase())) ?? locale;
}
