import { HTTP_LIMITS } from '../../adapters/http/http-limits.ts';

const BASE = '/en/cms-json';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** One request and what both bindings make of it. `seen`: members of the request that the host got; absent: the host was not asked. */
export interface HttpCase {
  readonly name: string;
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly status: number;
  readonly code?: string;
  readonly seen?: Readonly<Record<string, unknown>>;
}

const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

const READ: readonly HttpCase[] = [
  {
    name: 'base',
    target: BASE,
    status: 200,
    seen: { method: 'GET', path: '/', query: '', language: 'en', body: { kind: 'none' } },
  },
  { name: 'base with slash', target: `${BASE}/`, status: 200, seen: { path: '/' } },
  {
    name: 'language',
    target: '/fr/cms-json/cms/v2/posts',
    status: 200,
    seen: { language: 'fr', path: '/cms/v2/posts' },
  },
  {
    name: 'query is handed on raw',
    target: `${BASE}/cms/v2/posts?a[]=1&b=%zz`,
    status: 200,
    seen: { query: 'a[]=1&b=%zz' },
  },
  {
    name: 'rest_route',
    target: '/en/?rest_route=/cms/v2/posts&page=2',
    status: 200,
    seen: { path: '/cms/v2/posts', query: 'page=2' },
  },
  { name: 'decoded once', target: `${BASE}/a%2541`, status: 200, seen: { path: '/a%41' } },
  { name: 'bad percent', target: `${BASE}/%zz`, status: 400, code: 'rest_invalid_encoding' },
  { name: 'encoded slash', target: `${BASE}/a%2Fb`, status: 404, code: 'rest_no_route' },
  { name: 'not the API', target: '/about', status: 404, code: 'rest_no_route' },
  {
    name: 'longest address',
    target: `${BASE}/?${'a'.repeat(HTTP_LIMITS.urlBytes - BASE.length - 2)}`,
    status: 200,
    seen: { path: '/' },
  },
  {
    name: 'address too long',
    target: `${BASE}/?${'a'.repeat(HTTP_LIMITS.urlBytes)}`,
    status: 414,
    code: 'rest_uri_too_long',
  },
  {
    name: 'headers too large',
    target: BASE,
    headers: { 'X-A': 'a'.repeat(HTTP_LIMITS.headerBytes) },
    status: 431,
    code: 'rest_headers_too_large',
  },
  {
    name: 'too many headers',
    target: BASE,
    headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`X-${at}`, '1'])),
    status: 431,
    code: 'rest_headers_too_large',
  },
  { name: 'HEAD', method: 'HEAD', target: BASE, status: 200, seen: { method: 'HEAD' } },
  { name: 'OPTIONS', method: 'OPTIONS', target: BASE, status: 200, seen: { method: 'OPTIONS' } },
  { name: 'unusual method', method: 'PROPFIND', target: BASE, status: 200, seen: { method: 'PROPFIND' } },
];

const BODIES: readonly HttpCase[] = [
  {
    name: 'JSON',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '{"a":[1]}',
    status: 200,
    seen: { body: { kind: 'json', value: { a: [1] } } },
  },
  {
    name: 'JSON, type in capitals',
    method: 'PUT',
    target: BASE,
    headers: { 'Content-Type': 'Application/JSON;\tcharset="utf-8"' },
    body: '1',
    status: 200,
    seen: { method: 'PUT', body: { kind: 'json', value: 1 } },
  },
  {
    name: 'form',
    method: 'PATCH',
    target: BASE,
    headers: FORM_TYPE,
    body: 'a[b]=c+d',
    status: 200,
    seen: { body: { kind: 'form', params: { a: { b: 'c d' } } } },
  },
  {
    name: 'text',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': 'text/plain' },
    body: '{"a":1}',
    status: 200,
    seen: { body: { kind: 'text', type: 'text/plain' } },
  },
  {
    name: 'empty JSON',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '',
    status: 200,
    seen: { body: { kind: 'none' } },
  },
  {
    name: 'body on DELETE',
    method: 'DELETE',
    target: BASE,
    headers: JSON_TYPE,
    body: '{"force":true}',
    status: 200,
    seen: { body: { kind: 'json', value: { force: true } } },
  },
  {
    name: 'syntax error',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '{"a":',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'malformed type',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': 'json' },
    body: '{}',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  {
    name: 'two types',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': 'application/json, text/plain' },
    body: '{}',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  {
    name: 'multipart',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': 'multipart/form-data; boundary=X' },
    body: '--X--',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  {
    name: 'gzip',
    method: 'POST',
    target: BASE,
    headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: '\x1f\x8b',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  {
    name: 'largest body',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': 'text/plain' },
    body: 'a'.repeat(HTTP_LIMITS.bodyBytes),
    status: 200,
    seen: { method: 'POST' },
  },
];

const BOMBS: readonly HttpCase[] = [
  {
    name: 'body too large',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: 'a'.repeat(HTTP_LIMITS.bodyBytes + 1),
    status: 413,
    code: 'rest_body_too_large',
  },
  {
    name: '10 MB body',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: new Uint8Array(10_000_000),
    status: 413,
    code: 'rest_body_too_large',
  },
  {
    name: 'deep JSON',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '['.repeat(200_000),
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'deep JSON, closed',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '['.repeat(200_000) + ']'.repeat(200_000),
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'many keys',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: keys(80_000),
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'many pairs',
    method: 'POST',
    target: BASE,
    headers: FORM_TYPE,
    body: 'a=1&'.repeat(200_000),
    status: 400,
    code: 'rest_too_many_parameters',
  },
  {
    name: 'deep names',
    method: 'POST',
    target: BASE,
    headers: FORM_TYPE,
    body: `a${'[b]'.repeat(300_000)}=1`,
    status: 400,
    code: 'rest_too_many_parameters',
  },
  {
    name: '__proto__',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '{"__proto__":{"admin":true}}',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'constructor.prototype',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '{"constructor":{"prototype":{}}}',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: '__proto__ in a form',
    method: 'POST',
    target: BASE,
    headers: FORM_TYPE,
    body: 'a[__proto__][x]=1',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'NUL',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '"\\u0000"',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'lone surrogate',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: '"\\ud800"',
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'not UTF-8',
    method: 'POST',
    target: BASE,
    headers: JSON_TYPE,
    body: new Uint8Array([0x22, 0xff, 0x22]),
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    name: 'hostile media type',
    method: 'POST',
    target: BASE,
    headers: { 'Content-Type': `a/b;a="${'\\"'.repeat(7000)}` },
    body: '{}',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
];

export const HTTP_CASES: readonly HttpCase[] = [...READ, ...BODIES, ...BOMBS];
