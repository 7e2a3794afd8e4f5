import { own } from '../../../lib/core/objects.ts';
import { invalidParams } from '../../../lib/schema/invalid.ts';
import { tooLong } from '../../../lib/schema/invalid.ts';
import { listTooLong } from '../model/text-bounds.ts';

/** Parameters that have another name than the field. */
const PARAMS: Readonly<Record<string, string>> = { alt: 'alt_text', login: 'username' };

/** Values by field. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks the texts that a write stores. `current`: the stored record, whose texts may be longer as long as they stay the same.
 * @throws RestError `rest_invalid_param` naming each parameter whose text is too long
 */
export function checkBounds(collection: string, values: Fields, current: Fields = {}): void {
  const changed = listTooLong(collection, values).filter(
    ({ field }) => JSON.stringify(own(values, field)) !== JSON.stringify(own(current, field)),
  );
  if (changed.length === 0) return;
  throw invalidParams(
    changed.map(({ field, most }) => {
      const param = own(PARAMS, field) ?? field;
      return [param, tooLong(param, most)];
    }),
  );
}
