import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of types, statuses and taxonomies. */
export const MODEL_ERRORS = {
  rest_type_invalid: [404, 'Invalid post type.'],
  rest_cannot_read_type: ['denied', 'Cannot view post type.'],
  rest_status_invalid: [404, 'Invalid status.'],
  rest_cannot_read_status: ['denied', 'Cannot view status.'],
  rest_taxonomy_invalid: [404, 'Invalid taxonomy.'],
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to edit posts in this post type.'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to do that.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit posts in this post type.'],
} as const satisfies ErrorTable;

export const modelError = createErrors(MODEL_ERRORS);
