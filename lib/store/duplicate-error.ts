import { engineError, type RestError } from '../core/errors.ts';

/** 409 `rest_duplicate` for a unique key that another record has. It names these fields of the key, also in `data.fields`, and not the other record. */
export function duplicateError(fields: readonly string[], cause?: Error): RestError {
  const message =
    fields.length === 0 ? {} : { message: `Another record has the same ${fields.join(' and ')} already.` };
  return engineError('rest_duplicate', {
    ...message,
    data: { fields },
    ...(cause === undefined ? {} : { cause }),
  });
}
