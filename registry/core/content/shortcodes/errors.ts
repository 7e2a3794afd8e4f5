import { createErrors, type ErrorTable } from '../../../../lib/core/errors.ts';

/** The errors of content with shortcodes. */
export const SHORTCODE_ERRORS = {
  builder_content_too_large: [413, 'The content is larger than 1,000,000 bytes.'],
  builder_nested_too_deep: [400, 'The shortcodes of the content are nested deeper than 20 levels.'],
  builder_too_many_shortcodes: [400, 'The content has more than 4,000 shortcode tags.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const shortcodeError = createErrors(SHORTCODE_ERRORS);
