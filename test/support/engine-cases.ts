import { engineError } from '../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../lib/core/identity.ts';
import type { Engine } from '../../lib/engine/engine.ts';
import { RawBody, RestResponse } from '../../lib/http/response.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import { createTestEngine } from './site.ts';

/** One request and its response, which must be the same through every entry of the engine. */
export interface EngineCase {
  readonly name: string;
  /** Default GET. */
  readonly method?: string;
  /** Path below the base of the API. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; JSON when no media type is given. */
  readonly body?: string;
  readonly status: number;
  /** Error code. */
  readonly code?: string;
  /** The complete body; null when there must be none; absent when it is not compared. */
  readonly answer?: unknown;
  /** Headers of the response; null for a header that must be absent. */
  readonly sent?: Readonly<Record<string, string | null>>;
}

const EDITOR: Identity = { id: 7, role: 'editor', capabilities: new Set(['edit']) };
const READER: Identity = { id: 8, role: 'reader', capabilities: new Set() };
const CALLERS: Readonly<Record<string, Identity>> = { editor: EDITOR, reader: READER };
const ID = { type: 'integer' } as const;

const shop = defineNamespace(
  {
    namespace: 'shop/v1',
    routes: [
      {
        pattern: '/shop/v1/items',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'list',
            permission: 'public',
            args: {
              page: { type: 'integer', default: 1, minimum: 1, maximum: 9 },
              ids: { type: 'array', items: ID },
              search: { type: 'string' },
            },
          },
          {
            methods: ['POST'],
            handler: 'create',
            permission: 'edit',
            allow_batch: { v1: true },
            args: {
              name: { type: 'string', required: true, maxLength: 20 },
              on: { type: 'boolean', default: false },
            },
          },
        ],
      },
      {
        pattern: '/shop/v1/items/(?P<id>[\\d]+)',
        endpoints: [
          { methods: ['GET'], handler: 'read', permission: 'public', args: { id: ID } },
          {
            methods: ['DELETE'],
            handler: 'remove',
            permission: 'edit',
            allow_batch: { v1: true },
            args: { id: ID },
          },
        ],
      },
      {
        pattern: '/shop/v1/words/(?P<word>[^/]+)',
        endpoints: [
          { methods: ['GET'], handler: 'word', permission: 'public', args: { word: { type: 'string' } } },
        ],
      },
      {
        pattern: '/shop/v1/feed',
        endpoints: [{ methods: ['GET'], handler: 'feed', permission: 'public', args: {} }],
      },
      {
        pattern: '/shop/v1/broken',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'broken',
            permission: 'public',
            args: { how: { type: 'string', enum: ['throw', 'null', 'bigint', 'undefined'], required: true } },
          },
        ],
      },
    ],
  },
  {
    list: ({ page, ids, search }) =>
      new RestResponse([{ page, ids: ids ?? [], search: search ?? null }], {
        headers: { 'X-CMS-Total': '1', 'X-CMS-TotalPages': '1' },
      }),
    create: ({ name, on }, { site }) =>
      new RestResponse(
        { id: 1, name, on },
        { status: 201, headers: { Location: site.url('/shop/v1/items/1') }, version: 1 },
      ),
    read: ({ id }) => {
      if (id > 100) throw engineError('rest_no_route', { message: 'The item does not exist.' });
      return new RestResponse(
        { id, title: { raw: 'r', rendered: 'x' } },
        { links: { self: [{ href: `/${id}` }] }, version: 3 },
      );
    },
    remove: () => new RestResponse(null, { status: 204 }),
    word: ({ word }) => ({ word }),
    feed: () => new RestResponse(new RawBody('text/xml; charset=UTF-8', '<a>é</a>')),
    broken: ({ how }) => {
      if (how === 'throw') throw new Error('a secret');
      if (how === 'null') throw null;
      return how === 'bigint' ? { big: 1n } : undefined;
    },
  },
);

/** An engine with two callers, which it recognises by the word in `Authorization`. */
export function createCaseEngine(): Engine {
  return createTestEngine([shop], {
    capabilities: new Set(['edit']),
    jsonp: true,
    authenticate: ({ headers }) => {
      const caller = headers['authorization'];
      if (caller === undefined) return ANONYMOUS;
      const identity = CALLERS[caller];
      if (identity === undefined) throw engineError('rest_invalid_credentials');
      return identity;
    },
  });
}

const AS_EDITOR = { Authorization: 'editor' };
const FORM = { ...AS_EDITOR, 'Content-Type': 'application/x-www-form-urlencoded' };
const ITEMS = '/shop/v1/items';
const list = (page: number, ids: readonly number[] = [], search: string | null = null) => [
  { page, ids, search },
];
const batch = (...requests: readonly object[]): string => JSON.stringify({ requests });

const READS: readonly EngineCase[] = [
  {
    name: 'list',
    target: ITEMS,
    status: 200,
    answer: list(1),
    sent: {
      Allow: 'GET',
      'X-CMS-Total': '1',
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': null,
    },
  },
  {
    name: 'list as editor',
    target: ITEMS,
    headers: AS_EDITOR,
    status: 200,
    answer: list(1),
    sent: { Allow: 'GET, POST', 'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private' },
  },
  {
    name: 'list with query',
    target: `${ITEMS}?page=2&ids[]=1&ids[]=2&search=a+b%C3%A9&_locale=user`,
    status: 200,
    answer: list(2, [1, 2], 'a bé'),
  },
  { name: 'comma list', target: `${ITEMS}?ids=3,4`, status: 200, answer: list(1, [3, 4]) },
  { name: 'value out of bounds', target: `${ITEMS}?page=10`, status: 400, code: 'rest_invalid_param' },
  {
    name: 'bad percent sign in the query',
    target: `${ITEMS}?search=%zz`,
    status: 400,
    code: 'rest_invalid_encoding',
  },
  { name: 'trailing slash', target: `${ITEMS}/`, status: 200, answer: list(1) },
  {
    name: 'read',
    target: `${ITEMS}/7`,
    status: 200,
    answer: { id: 7, title: { raw: 'r', rendered: 'x' }, _links: { self: [{ href: '/7' }] } },
  },
  {
    name: 'read fields',
    target: `${ITEMS}/7?_fields=id,title.raw`,
    status: 200,
    answer: { id: 7, title: { raw: 'r' }, _links: { self: [{ href: '/7' }] } },
  },
  { name: 'read what is not there', target: `${ITEMS}/101`, status: 404, code: 'rest_no_route' },
  {
    name: 'word decoded once',
    target: '/shop/v1/words/a%20%2541%C3%A9',
    status: 200,
    answer: { word: 'a %41é' },
  },
  { name: 'encoded slash', target: '/shop/v1/words/a%2Fb', status: 404, code: 'rest_no_route' },
  { name: 'NUL in the path', target: '/shop/v1/words/a%00', status: 400, code: 'rest_invalid_encoding' },
  { name: 'long word', target: `/shop/v1/words/${'x'.repeat(101)}`, status: 404, code: 'rest_no_route' },
  {
    name: 'bytes of another type',
    target: '/shop/v1/feed',
    status: 200,
    sent: { 'Content-Type': 'text/xml; charset=UTF-8' },
  },
  { name: 'no route', target: '/shop/v1/nothing', status: 404, code: 'rest_no_route' },
  {
    name: 'method that the route does not have',
    method: 'PATCH',
    target: ITEMS,
    status: 404,
    code: 'rest_no_route',
  },
  {
    name: 'HEAD',
    method: 'HEAD',
    target: ITEMS,
    status: 200,
    sent: { 'X-CMS-Total': '1', 'X-CMS-TotalPages': '1' },
  },
  { name: 'OPTIONS', method: 'OPTIONS', target: `${ITEMS}/7`, status: 200, sent: { Allow: 'GET' } },
  { name: 'OPTIONS of nothing', method: 'OPTIONS', target: '/nothing', status: 200, answer: {} },
  { name: 'index', target: '/', status: 200 },
  { name: 'index of the namespace', target: '/shop/v1', status: 200 },
  {
    name: 'index of another namespace',
    target: '/shop/v1?namespace[x]=1',
    status: 404,
    code: 'rest_invalid_namespace',
  },
];

const WRITES: readonly EngineCase[] = [
  {
    name: 'create',
    method: 'POST',
    target: ITEMS,
    headers: AS_EDITOR,
    body: '{"name":"a","on":"1","other":1}',
    status: 201,
    answer: { id: 1, name: 'a', on: true },
    sent: { Location: 'https://site.test/en/cms-json/shop/v1/items/1', Allow: 'GET, POST' },
  },
  {
    name: 'create from a form',
    method: 'POST',
    target: ITEMS,
    headers: FORM,
    body: 'name=a+b&on=true',
    status: 201,
    answer: { id: 1, name: 'a b', on: true },
  },
  {
    name: 'create, body before query',
    method: 'POST',
    target: `${ITEMS}?name=query`,
    headers: AS_EDITOR,
    body: '{"name":"body"}',
    status: 201,
    answer: { id: 1, name: 'body', on: false },
  },
  {
    name: 'create from text',
    method: 'POST',
    target: `${ITEMS}`,
    headers: { ...AS_EDITOR, 'Content-Type': 'text/plain' },
    body: '{"name":"a"}',
    status: 400,
    code: 'rest_missing_callback_param',
  },
  {
    name: 'create without name',
    method: 'POST',
    target: ITEMS,
    headers: AS_EDITOR,
    body: '{}',
    status: 400,
    code: 'rest_missing_callback_param',
  },
  {
    name: 'create anonymously',
    method: 'POST',
    target: ITEMS,
    body: '{"name":"a"}',
    status: 401,
    code: 'rest_forbidden',
  },
  {
    name: 'create as reader',
    method: 'POST',
    target: ITEMS,
    headers: { Authorization: 'reader' },
    body: '{"name":"a"}',
    status: 403,
    code: 'rest_forbidden',
    sent: { Allow: 'GET' },
  },
  {
    name: 'create with wrong values before rights',
    method: 'POST',
    target: ITEMS,
    body: `{"name":"${'x'.repeat(21)}"}`,
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'wrong credentials',
    target: ITEMS,
    headers: { Authorization: 'nobody' },
    status: 401,
    code: 'rest_invalid_credentials',
  },
  {
    name: 'broken JSON',
    method: 'POST',
    target: ITEMS,
    headers: AS_EDITOR,
    body: '{"name":',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'JSON that reaches a prototype',
    method: 'POST',
    target: ITEMS,
    headers: AS_EDITOR,
    body: '{"__proto__":{"name":"a"}}',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'multipart',
    method: 'POST',
    target: ITEMS,
    headers: { ...AS_EDITOR, 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x--',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  {
    name: 'delete',
    method: 'DELETE',
    target: `${ITEMS}/7`,
    headers: AS_EDITOR,
    status: 204,
    sent: { 'Content-Type': null },
  },
  {
    name: 'delete by another name',
    method: 'POST',
    target: `${ITEMS}/7?_method=DELETE`,
    headers: AS_EDITOR,
    status: 204,
  },
  {
    name: 'HEAD by another name',
    method: 'POST',
    target: `${ITEMS}?_method=HEAD`,
    status: 200,
    answer: null,
    sent: { 'X-CMS-Total': '1', 'Cache-Control': 'no-store' },
  },
  {
    name: 'HEAD instead of GET',
    target: ITEMS,
    headers: { 'X-HTTP-Method-Override': 'head' },
    status: 200,
    answer: null,
    sent: { 'X-CMS-Total': '1', 'Cache-Control': 'no-store' },
  },
  {
    name: 'GET by the header',
    method: 'POST',
    target: ITEMS,
    headers: { ...AS_EDITOR, 'X-HTTP-Method-Override': 'GET' },
    status: 200,
    answer: list(1),
    sent: { 'Cache-Control': 'no-store' },
  },
  {
    name: 'a header that changes a GET',
    target: `${ITEMS}/7`,
    headers: { 'X-HTTP-Method-Override': 'DELETE' },
    status: 401,
    sent: { 'Cache-Control': 'no-store' },
  },
  { name: 'a plain GET', target: ITEMS, status: 200, answer: list(1), sent: { 'Cache-Control': null } },
  {
    name: 'delete from a foreign page',
    target: `${ITEMS}/7?_method=DELETE`,
    headers: { ...AS_EDITOR, 'Sec-Fetch-Site': 'cross-site' },
    status: 200,
  },
  {
    name: 'batch',
    method: 'POST',
    target: '/batch/v1',
    headers: AS_EDITOR,
    status: 207,
    body: batch(
      { path: ITEMS, body: { name: 'a' } },
      { path: ITEMS },
      { method: 'DELETE', path: `${ITEMS}/7` },
      { path: '/%zz' },
      { path: '/batch/v1' },
    ),
  },
  {
    name: 'batch too long',
    method: 'POST',
    target: '/batch/v1',
    body: batch(...Array.from({ length: 26 }, () => ({ path: '/' }))),
    status: 400,
    code: 'rest_invalid_param',
  },
];

const MANNERS: readonly EngineCase[] = [
  {
    name: 'envelope',
    target: `${ITEMS}?_envelope`,
    status: 200,
    answer: {
      body: list(1),
      status: 200,
      headers: { 'X-CMS-Total': 1, 'X-CMS-TotalPages': 1, Allow: 'GET' },
    },
  },
  { name: 'envelope of an error', target: '/nothing?_envelope=1', status: 200 },
  {
    name: 'function call',
    target: '/shop/v1/words/a?_jsonp=cb',
    headers: AS_EDITOR,
    status: 200,
    sent: { 'Content-Type': 'application/javascript; charset=UTF-8', 'Cache-Control': null },
  },
  { name: 'no name of a function', target: '/shop/v1/words/a?_jsonp=a()', status: 400 },
  {
    name: 'problem details',
    target: `${ITEMS}?page=x`,
    headers: { Accept: 'application/problem+json' },
    status: 400,
    sent: { 'Content-Type': 'application/problem+json; charset=UTF-8' },
  },
  { name: 'unchanged', target: '/shop/v1/words/a', headers: { 'If-None-Match': '*' }, status: 304 },
  {
    name: 'origin',
    target: ITEMS,
    headers: { Origin: 'https://other.test' },
    status: 200,
    sent: { 'Access-Control-Allow-Origin': 'https://other.test', Vary: 'Origin' },
  },
  ...['throw', 'null', 'bigint', 'undefined'].map((how): EngineCase => ({
    name: `broken: ${how}`,
    target: `/shop/v1/broken?how=${how}`,
    status: 500,
    code: 'rest_internal_error',
  })),
];

const EVIL = 'https://evil.example';
const SENDERS: readonly (readonly [who: string, headers: Readonly<Record<string, string>>])[] = [
  ['another origin', { Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }],
  ['another origin, without Sec-Fetch-Site', { Origin: EVIL }],
  ['no origin at all', { Origin: 'null' }],
  ['another site, without Origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another origin of the site', { 'Sec-Fetch-Site': 'same-site' }],
];
/** Bodies that a form can send, and an empty one. */
const SENT: readonly (readonly [
  name: string,
  content: { readonly type?: string; readonly body?: string },
])[] = [
  ['a form', { type: 'application/x-www-form-urlencoded', body: 'name=a' }],
  ['a multipart form', { type: 'multipart/form-data; boundary=x', body: '--x--' }],
  ['text', { type: 'text/plain', body: '{"name":"a"}' }],
  ['text of two types', { type: 'text/plain; application/json', body: '{"name":"a"}' }],
  ['nothing', {}],
];

function toCrossSite([who, sender]: (typeof SENDERS)[number]): readonly EngineCase[] {
  const cases: EngineCase[] = [
    {
      name: `delete by a form from ${who}`,
      method: 'POST',
      target: `${ITEMS}/7?_method=DELETE`,
      headers: { ...FORM, ...sender },
      body: 'a=1',
      status: 403,
      code: 'rest_cross_site_write',
    },
    {
      name: `JSON from ${who}`,
      method: 'POST',
      target: ITEMS,
      headers: { ...AS_EDITOR, ...sender },
      body: '{"name":"a"}',
      status: 201,
    },
    { name: `read from ${who}`, target: ITEMS, headers: { ...AS_EDITOR, ...sender }, status: 200 },
  ];
  for (const [name, { type, body }] of SENT) {
    const headers = { ...AS_EDITOR, ...sender, ...(type === undefined ? {} : { 'Content-Type': type }) };
    cases.push({
      name: `${name} from ${who}`,
      method: 'POST',
      target: `${ITEMS}?name=a`,
      headers,
      ...(body === undefined ? {} : { body }),
      status: 403,
      code: 'rest_cross_site_write',
    });
  }
  return cases;
}

export const ENGINE_CASES: readonly EngineCase[] = [
  ...READS,
  ...WRITES,
  ...MANNERS,
  ...SENDERS.flatMap(toCrossSite),
];
