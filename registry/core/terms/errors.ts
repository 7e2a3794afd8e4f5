import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of terms. A code with several messages has one row for each. */
export const TERM_ERRORS = {
  rest_term_invalid: [404, 'Term does not exist.'],
  rest_post_invalid_id: [400, 'Invalid post ID.'],
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to view these terms.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit this term.'],
  rest_cannot_create: ['denied', 'Sorry, you are not allowed to create terms in this taxonomy.'],
  rest_cannot_update: ['denied', 'Sorry, you are not allowed to edit this term.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this term.'],
  rest_taxonomy_not_hierarchical: [400, 'Cannot set parent term, taxonomy is not hierarchical.'],
  rest_trash_not_supported: [501, "Terms do not support trashing. Set 'force=true' to delete."],
  term_exists: [400, 'A term with the name provided already exists with this parent.'],
  // WordPress answers these two with 500, because its errors have no status of their own.
  empty_term_name: [400, 'A name is required for this term.'],
  duplicate_term_slug: [409, 'The slug is already in use by another term.'],
} as const satisfies ErrorTable;

export const termError = createErrors(TERM_ERRORS);

/** Errors of the parent of a term that is written. */
export const TERM_PARENT_ERRORS = {
  rest_term_invalid: [400, 'Parent term does not exist.'],
} as const satisfies ErrorTable;

export const termParentError = createErrors(TERM_PARENT_ERRORS);
