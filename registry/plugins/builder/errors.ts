import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** The errors of `builder/photofeed` in addition to those of the engine and of the upstream port. */
export const PHOTOFEED_ERRORS = {
  photofeed_not_found: [404, 'There is no album with this id.'],
  photofeed_invalid_cursor: [
    400,
    'The parameter next is not a cursor of this feed. Take it from paging.next, or leave it out to start from the beginning.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const photofeedError = createErrors(PHOTOFEED_ERRORS);
