import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of users and application passwords. A code with several messages has one row for each. */
export const USER_ERRORS = {
  rest_user_invalid_id: [404, 'Invalid user ID.'],
  rest_user_cannot_view: ['denied', 'Sorry, you are not allowed to list users.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit this user.'],
  rest_forbidden_orderby: ['denied', 'Sorry, you are not allowed to order users by this parameter.'],
  rest_forbidden_who: ['denied', 'Sorry, you are not allowed to query users by this parameter.'],
  rest_not_logged_in: [401, 'You are not currently logged in.'],
  rest_cannot_create_user: ['denied', 'Sorry, you are not allowed to create new users.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this user.'],
  rest_cannot_edit_roles: ['denied', 'Sorry, you are not allowed to edit roles of this user.'],
  rest_user_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this user.'],
  rest_user_exists: [400, 'Cannot create existing user.'],
  rest_user_invalid_role: [400, 'The role does not exist.'],
  rest_user_invalid_argument: [400, 'Username is not editable.'],
  rest_user_invalid_email: [400, 'Invalid email address.'],
  rest_user_invalid_slug: [400, 'Invalid slug.'],
  rest_user_invalid_reassign: [400, 'Invalid user ID for reassignment.'],
  existing_user_login: [400, 'Sorry, that username already exists!'],
  existing_user_email: [400, 'Sorry, that email address is already used!'],
  rest_trash_not_supported: [501, "Users do not support trashing. Set 'force=true' to delete."],
  rest_cannot_list_application_passwords: [
    'denied',
    'Sorry, you are not allowed to list application passwords for this user.',
  ],
  rest_cannot_create_application_passwords: [
    'denied',
    'Sorry, you are not allowed to create application passwords for this user.',
  ],
  rest_cannot_read_application_password: [
    'denied',
    'Sorry, you are not allowed to read this application password.',
  ],
  rest_cannot_edit_application_password: [
    'denied',
    'Sorry, you are not allowed to edit this application password.',
  ],
  rest_cannot_delete_application_password: [
    'denied',
    'Sorry, you are not allowed to delete this application password.',
  ],
  rest_cannot_delete_application_passwords: [
    'denied',
    'Sorry, you are not allowed to delete application passwords for this user.',
  ],
  rest_cannot_introspect_app_password_for_non_authenticated_user: [
    'denied',
    'The authenticated application password can only be introspected for the current user.',
  ],
  rest_too_many_application_passwords: [
    400,
    'A user can have at most 100 application passwords. Remove one that is no longer used.',
  ],
  rest_application_password_not_found: [404, 'Application password not found.'],
  rest_no_authenticated_app_password: [404, 'Cannot introspect application password.'],
} as const satisfies ErrorTable;

/** A refusal that WordPress sends with the code of another error. */
export const ROLE_ERRORS = {
  rest_user_invalid_role: ['denied', 'Sorry, you are not allowed to give users that role.'],
} as const satisfies ErrorTable;

export const roleError = createErrors(ROLE_ERRORS);
export const userError = createErrors(USER_ERRORS);
