import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { toSentence } from '../../../lib/schema/failure-messages.ts';
import { type Invalid } from '../../../lib/schema/invalid.ts';

const BAD_REQUEST = 400;
const LONGEST_LOGIN = 60;
/** Longest password in characters, because each one is hashed. */
const LONGEST_PASSWORD = 4096;

const invalid = (code: string, message: string): Invalid => ({
  code,
  message,
  data: { status: BAD_REQUEST },
});

const LOGIN = /^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i;

const checkUsername: ValueCheck = (value) => {
  if (typeof value !== 'string') return null;
  if (value.length <= LONGEST_LOGIN && LOGIN.test(value)) return 'valid';
  return invalid(
    'rest_user_invalid_username',
    'This username is invalid because it uses illegal characters. Please enter a valid username.',
  );
};

const checkPassword: ValueCheck = (value) => {
  if (typeof value !== 'string') return null;
  // Blanks do not count: see `registry/core/accounts/credentials.ts`.
  if (value.trim() === '') return invalid('rest_user_invalid_password', 'Passwords cannot be empty.');
  if (value.includes('\\'))
    return invalid('rest_user_invalid_password', 'Passwords cannot contain the "\\" character.');
  if (value.length > LONGEST_PASSWORD)
    return invalid(
      'rest_user_invalid_password',
      `Passwords cannot have more than ${LONGEST_PASSWORD} characters.`,
    );
  return 'valid';
};

/** What stands for no heir, beside 0. */
const NOBODY: ReadonlySet<unknown> = new Set([false, 'false', '', null]);

/** The id of the heir; 0 for none. Valid values only. */
export function toHeir(value: unknown): number {
  return NOBODY.has(value) ? 0 : Math.abs(Number(value));
}

const checkReassign: ValueCheck = (value) => {
  if (NOBODY.has(value)) return 'valid';
  return Number.isSafeInteger(value) ? null : invalid('rest_invalid_param', 'Invalid user parameter(s).');
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** WordPress does not say which of the two formats is missed. */
const checkAppId: ValueCheck = (value) => {
  if (typeof value !== 'string') return null;
  return value === '' || UUID.test(value)
    ? 'valid'
    : {
        code: 'rest_no_matching_schema',
        message: 'app_id does not match any of the expected formats.',
        data: null,
      };
};

/** Types that have records of users. `types`: names of the types of the site. */
export function createUserChecks(types: readonly string[]): Readonly<Record<string, ValueCheck>> {
  const checkTypes: ValueCheck = (value) => {
    if (!Array.isArray(value)) return null;
    const at = value.findIndex((type) => typeof type === 'string' && !types.includes(type));
    return at === -1
      ? null
      : {
          code: 'rest_not_in_enum',
          message: `has_published_posts[${at}] is not one of ${toSentence(types)}.`,
          data: null,
        };
  };
  return {
    'cms.users.username': checkUsername,
    'cms.users.password': checkPassword,
    'cms.users.reassign': checkReassign,
    'cms.users.types': checkTypes,
    'cms.passwords.app-id': checkAppId,
  };
}
