import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** The errors of `changes/v1` in addition to those of the engine. */
export const CHANGES_ERRORS = {
  rest_invalid_cursor: [
    400,
    'The cursor cannot be read: it is cut, changed, or of another site. Begin without a cursor, or with after=all.',
  ],
  rest_cursor_expired: [
    410,
    'Changes after this cursor are no longer kept. Read everything again at the address in `location`, which goes on with the changes.',
  ],
  rest_receiver_not_found: [404, 'There is no receiver with this id.'],
  rest_delivery_not_found: [404, 'There is no delivery with this id for the receiver.'],
  rest_invalid_receiver_url: [
    400,
    'The address of a receiver must be an http or https address without user name and fragment.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const changesError = createErrors(CHANGES_ERRORS);
