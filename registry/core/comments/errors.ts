import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of comments. */
export const COMMENT_ERRORS = {
  rest_comment_invalid_id: [404, 'Invalid comment ID.'],
  rest_comment_invalid_post_id: [403, 'Sorry, you are not allowed to create this comment without a post.'],
  rest_comment_login_required: [401, 'Sorry, you must be logged in to comment.'],
  rest_comment_invalid_author: ['denied', "Sorry, you are not allowed to edit 'author' for comments."],
  rest_comment_invalid_author_ip: ['denied', "Sorry, you are not allowed to edit 'author_ip' for comments."],
  rest_comment_invalid_status: ['denied', "Sorry, you are not allowed to edit 'status' for comments."],
  rest_comment_draft_post: [403, 'Sorry, you are not allowed to create a comment on this post.'],
  rest_comment_trash_post: [403, 'Sorry, you are not allowed to create a comment on this post.'],
  rest_comment_closed: [403, 'Sorry, comments are closed for this item.'],
  rest_cannot_create_note: ['denied', 'Sorry, you are not allowed to create notes for this post.'],
  rest_comment_not_supported_post_type: [403, 'Sorry, this post type does not support notes.'],
  rest_comment_exists: [400, 'Cannot create existing comment.'],
  rest_invalid_comment_type: [400, 'Cannot create a comment with that type.'],
  rest_comment_invalid_type: [404, 'Sorry, you are not allowed to change the comment type.'],
  rest_comment_invalid_parent: [400, 'parent: only a note replies to a note.'],
  rest_comment_content_invalid: [400, 'Invalid comment content.'],
  rest_comment_author_data_required: [400, 'Creating a comment requires valid author name and email values.'],
  rest_comment_author_invalid: [400, 'Invalid comment author ID.'],
  comment_author_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_author_email_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_author_url_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_content_column_length: [400, 'Comment field exceeds maximum length allowed.'],
  comment_duplicate: [409, 'Duplicate comment detected; it looks as though you&#8217;ve already said that!'],
  comment_flood: [400, 'You are posting comments too quickly. Slow down.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit comments.'],
  rest_forbidden_param: ['denied', 'Query parameter not permitted.'],
  rest_cannot_read: ['denied', 'Sorry, you are not allowed to read this comment.'],
  rest_cannot_read_post: ['denied', 'Sorry, you are not allowed to read the post for this comment.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this comment.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this comment.'],
  rest_already_trashed: [410, 'The comment has already been trashed.'],
} as const satisfies ErrorTable;

export const commentError = createErrors(COMMENT_ERRORS);
