import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** The errors of `oembed/1.0` in addition to those of the engine and of the upstream port. */
export const OEMBED_ERRORS = {
  oembed_invalid_url: [404, 'Not Found'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to make proxied oEmbed requests.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const oembedError = createErrors(OEMBED_ERRORS);
