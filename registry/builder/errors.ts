import { createErrors, type ErrorTable } from '../../lib/core/errors.ts';

/** The errors of `builder` and `builder/photofeed` in addition to those of the engine and of the upstream port. */
export const BUILDER_ERRORS = {
  builder_content_too_large: [413, 'The content is larger than 1,000,000 bytes.'],
  builder_nested_too_deep: [400, 'The shortcodes of the content are nested deeper than 20 levels.'],
  builder_too_many_shortcodes: [400, 'The content has more than 4,000 shortcode tags.'],
  photofeed_not_found: [404, 'There is no album with this id.'],
  photofeed_invalid_cursor: [
    400,
    'The parameter next is not a cursor of this feed. Take it from paging.next, or leave it out to start from the beginning.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const builderError = createErrors(BUILDER_ERRORS);
