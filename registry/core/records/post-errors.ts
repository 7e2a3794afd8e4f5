import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of posts, revisions and autosaves. A code with several messages has one row for each. */
export const POST_ERRORS = {
  rest_post_invalid_id: [404, 'Invalid post ID.'],
  rest_post_invalid_parent: [404, 'Invalid post parent ID.'],
  rest_post_exists: [400, 'Cannot create existing post.'],
  rest_post_incorrect_password: [403, 'Incorrect post password.'],
  rest_post_invalid_page_number: [
    400,
    'The page number requested is larger than the number of pages available.',
  ],
  rest_no_search_term_defined: [400, 'You need to define a search term to order by relevance.'],
  rest_orderby_include_missing_include: [400, 'You need to define an include parameter to order by include.'],
  rest_invalid_author: [400, 'Invalid author ID.'],
  rest_invalid_field: [400, 'A post can not be sticky and have a password.'],
  rest_invalid_type: [400, 'meta.footnotes is not of type string.'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to do that.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit this post.'],
  rest_cannot_create: ['denied', 'Sorry, you are not allowed to create posts as this user.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this post.'],
  rest_cannot_edit_others: ['denied', 'Sorry, you are not allowed to create posts as this user.'],
  rest_cannot_assign_sticky: ['denied', 'Sorry, you are not allowed to make posts sticky.'],
  rest_cannot_assign_term: ['denied', 'Sorry, you are not allowed to assign the provided terms.'],
  rest_cannot_publish: ['denied', 'Sorry, you are not allowed to publish posts in this post type.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this post.'],
  rest_cannot_read: ['denied', 'Sorry, you are not allowed to view revisions of this post.'],
  rest_post_no_autosave: [404, 'There is no autosave revision for this post.'],
  rest_already_trashed: [410, 'The post has already been deleted.'],
  rest_revision_parent_id_mismatch: [404, 'The revision does not belong to the specified parent.'],
  rest_revision_invalid_page_number: [
    400,
    'The page number requested is larger than the number of pages available.',
  ],
  rest_revision_invalid_offset_number: [
    400,
    'The offset number requested is larger than or equal to the number of available revisions.',
  ],
  rest_trash_not_supported: [501, "Revisions do not support trashing. Set 'force=true' to delete."],
  rest_preview_invalid: [403, 'The preview is not valid for this post, or has ended.'],
  rest_preview_not_found: [404, 'There is no such preview.'],
  empty_content: [400, 'Content, title, and excerpt are empty.'],
  invalid_date: [400, 'Invalid date.'],
} as const satisfies ErrorTable;

export const postError = createErrors(POST_ERRORS);

/** Errors of the parent that a write names. */
export const PARENT_ERRORS = {
  rest_post_invalid_id: [400, 'Invalid post parent ID.'],
} as const satisfies ErrorTable;

export const parentError = createErrors(PARENT_ERRORS);
