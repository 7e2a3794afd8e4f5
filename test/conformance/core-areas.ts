const CORS =
  'If-Match, If-None-Match and the override header may be sent, ETag, Location and Allow may be read, and credentials that a browser adds are for trusted origins';

/**
 * The areas of the recorded core cases that are finished: every case passes, except those that differ on purpose. Each exception
 * is named with its reason, in the order of the cases.
 */
export const CORE_AREAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: {
    'core-pages-065':
      'a parent must be of the same type, so that a page cannot stand below a record that its address cannot name',
  },
  books: {
    'core-books-035': 'totals count what the caller may read',
    'core-books-091': 'null inside a list is refused with 400, because it is a mistake of the request',
    'core-books-106': 'the first wrong member is named, not all of them in one list of mixed values',
    'core-books-111': 'removing a value that is not there changes nothing, and needs no right',
    'core-books-124': 'a refused write writes nothing',
  },
  comments: {
    'core-comments-057': 'the total counts what the caller may read',
    'core-comments-073': 'the total counts what the caller may read',
  },
  visitors: { 'core-visitors-029': 'Allow names what the caller may do: everybody may list comments' },
  terms: { 'core-terms-097': 'an empty name is the mistake of the caller: 400, not 500' },
  users: {
    'core-users-046': 'the types are those of this site',
    'core-users-137': 'path values override the body',
  },
  media: {
    'core-media-001': 'the total counts what the caller may read',
    'core-media-003': 'the total counts what the caller may read',
    'core-media-037': 'the total counts what the caller may read',
    'core-media-038': 'the total counts what the caller may read',
    'core-media-040': 'the total counts what the caller may read',
    'core-media-070': 'a type that is not allowed is the mistake of the caller: 400, not 500',
    'core-media-071': 'a type that is not allowed is the mistake of the caller: 400, not 500',
    'core-media-072': 'a type that is not allowed is the mistake of the caller: 400, not 500',
    'core-media-073': 'a type that is not allowed is the mistake of the caller: 400, not 500',
    'core-media-076': 'the total counts what the caller may read',
    'core-media-079':
      'a file under another name is the mistake of the caller: 400, and the parameter is named',
    'core-media-081': 'a type that is not allowed is the mistake of the caller: 400, not 500',
  },
  binary: {},
  'app-passwords': {},
  types: {},
  statuses: {},
  taxonomies: {},
  embed: {},
  links: { 'core-links-024': 'the total counts what the caller may read' },
  search: {
    'core-search-013': 'totals stay beyond the last page',
    'core-search-025': 'a subtype of another kind finds nothing',
  },
  roles: { 'core-roles-144': 'a caller who may delete a post may delete its revisions' },
  schema: {
    'core-schema-006': 'pictures keep their format, and no file is fetched from an address',
    'core-schema-007': 'Allow names what the caller may do: everybody may list comments',
    'core-schema-008': 'records of every type have translations',
    'core-schema-028': 'required members are marked on each member, as in all schemas of the index',
  },
  order: {},
  http: {
    'core-http-005': 'a nonce is sent in the header, which has a neutral name',
    'core-http-007': CORS,
    'core-http-008': CORS,
    'core-http-009': CORS,
    'core-http-010': CORS,
    'core-http-011': CORS,
    'core-http-013': CORS,
    'core-http-017': 'the values of a repeated name form a list, as OpenAPI clients send it',
    'core-http-019': 'a list where a text is wanted is the mistake of the caller: 400, not 500',
  },
  'batch-core': {},
  settings: { 'core-settings-036': 'a value that means nothing is ignored, like an unknown time zone' },
};
