/**
 * The areas of the recorded core cases that are finished: every case passes, except those that differ on purpose. Each exception
 * is named with its reason, in the order of the cases.
 */
export const CORE_AREAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terms: { 'core-terms-097': 'an empty name is the mistake of the caller: 400, not 500' },
  users: {
    'core-users-046': 'the types are those of this site',
    'core-users-137': 'path values override the body',
  },
  'app-passwords': {},
  types: {},
  statuses: {},
  taxonomies: {},
  settings: { 'core-settings-036': 'a value that means nothing is ignored, like an unknown time zone' },
};
