import { isObject, own } from '../../../lib/core/objects.ts';

const FIELDS = ['wpml_translations', 'ml_translations', 'translations'];

/** The translation group of a record: the lowest of its id and those of the translations that it names; 0 for none. Plugins show ids by language, or a list of records. */
export function groupOf(shown: Readonly<Record<string, unknown>>): number {
  const named = FIELDS.map((field) => own(shown, field)).find(
    (each) => isObject(each) || Array.isArray(each),
  );
  const ids = Object.values(named ?? {}).map((each) => Number(isObject(each) ? each['id'] : each));
  const id = Number(own(shown, 'id'));
  const others = ids.filter((each) => Number.isSafeInteger(each) && each > 0 && each !== id);
  return others.length === 0 ? 0 : Math.min(id, ...others);
}
