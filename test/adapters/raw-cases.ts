const GET = (target: string, ...lines: readonly string[]): string =>
  ['GET ', target, ' HTTP/1.1\r\n', ...lines.map((line) => `${line}\r\n`), '\r\n'].join('');
const BASE = '/en/cms-json';
const HOST = 'Host: a';
const CLOSE = 'Connection: close';
const JSON_TYPE = 'Content-Type: application/json';
const OK = GET(BASE, HOST, CLOSE);

function post(lines: readonly string[], body = ''): string {
  return `POST ${BASE} HTTP/1.1\r\n${[HOST, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

function typed(line: string, body = '{"a":1}'): string {
  return post([line, CLOSE, `Content-Length: ${body.length}`], body);
}

/**
 * Bytes, the statuses of the responses in order before the connection closes, and how many requests the host gets.
 * `end`: the client sends FIN after the bytes.
 */
export type RawCase = readonly [
  name: string,
  bytes: string,
  statuses: readonly number[],
  served: number,
  end?: 'end',
];

const TARGETS: readonly RawCase[] = [
  ['plain', OK, [200], 1],
  ['absolute form', GET(`http://a${BASE}`, HOST, CLOSE), [400], 0],
  ['absolute form of a stranger', GET(`http://evil.example${BASE}`, HOST, CLOSE), [400], 0],
  ['asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n${CLOSE}\r\n\r\n`, [400], 0],
  ['authority form', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', [400], 0],
  ['fragment', GET(`${BASE}#x`, HOST, CLOSE), [400], 0],
  ['double slash', GET(`/${BASE}`, HOST, CLOSE), [404], 0],
  ['raw byte in the path', GET(`${BASE}/\xe9`, HOST, CLOSE), [400], 0],
  ['blank in the target', GET(`${BASE}/a b`, HOST, CLOSE), [400], 0],
  ['NUL in the target', GET(`${BASE}/\0`, HOST, CLOSE), [400], 0],
  ['bad percent', GET(`${BASE}/%`, HOST, CLOSE), [400], 0],
  ['encoded NUL', GET(`${BASE}/%00`, HOST, CLOSE), [400], 0],
  ['dots are not resolved', GET(`${BASE}/../../x`, HOST, CLOSE), [200], 1],
  ['9 KB target', GET(`${BASE}/${'a'.repeat(9000)}`, HOST, CLOSE), [414], 0],
  ['60 KB target', GET(`${BASE}/${'a'.repeat(60_000)}`, HOST, CLOSE), [414], 0],
];

const LINES: readonly RawCase[] = [
  ['HTTP/0.9', 'GET /en/cms-json\r\n\r\n', [400], 0],
  ['HTTP/1.0', `GET ${BASE} HTTP/1.0\r\n\r\n`, [200], 1],
  ['HTTP/3.0', `GET ${BASE} HTTP/3.0\r\n${HOST}\r\n\r\n`, [400], 0],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400], 0],
  ['TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400], 0],
  ['unknown method', `FOO ${BASE} HTTP/1.1\r\n${HOST}\r\n\r\n`, [400], 0],
  ['method in small letters', `get ${BASE} HTTP/1.1\r\n${HOST}\r\n\r\n`, [400], 0],
  ['bare LF', `GET ${BASE} HTTP/1.1\n${HOST}\n\n`, [400], 0],
  ['blank before the colon', GET(BASE, 'Host : a', CLOSE), [400], 0],
  ['folded header', GET(BASE, HOST, 'X-A: 1\r\n 2', CLOSE), [400], 0],
  ['header without colon', GET(BASE, HOST, 'nonsense', CLOSE), [400], 0],
  ['NUL in a header', GET(BASE, HOST, 'X-A: \0', CLOSE), [400], 0],
  ['CR in a header', GET(BASE, HOST, 'X-A: a\rb', CLOSE), [400], 0],
  [
    '101 headers',
    GET(BASE, HOST, ...Array.from({ length: 100 }, (_, at) => `X-${at}: 1`)).replace(
      HOST,
      `${HOST}\r\n${CLOSE}`,
    ),
    [431],
    0,
  ],
  ['3,000 headers', GET(BASE, HOST, CLOSE, ...Array.from({ length: 3000 }, () => 'a: 1')), [431], 0],
  ['17 KB header', GET(BASE, HOST, CLOSE, `X-A: ${'a'.repeat(17_000)}`), [431], 0],
  ['60 KB header', GET(BASE, HOST, CLOSE, `X-A: ${'a'.repeat(60_000)}`), [431], 0],
];

const HOSTS: readonly RawCase[] = [
  ['no Host', GET(BASE, CLOSE), [400], 0],
  ['two Hosts', GET(BASE, HOST, 'Host: b', CLOSE), [400], 0],
  ['the same Host twice', GET(BASE, HOST, HOST, CLOSE), [400], 0],
  ['Host list', GET(BASE, 'Host: a, b', CLOSE), [400], 0],
  ['Host with path', GET(BASE, 'Host: a/b', CLOSE), [400], 0],
  ['Host with user', GET(BASE, 'Host: u@a', CLOSE), [400], 0],
  ['Host with bad port', GET(BASE, 'Host: a:x', CLOSE), [400], 0],
  ['empty Host', GET(BASE, 'Host:', CLOSE), [200], 1],
  ['IPv6 Host', GET(BASE, 'Host: [::1]:8787', CLOSE), [200], 1],
  [
    'two Authorizations',
    GET(BASE, HOST, 'Authorization: Basic YQ==', 'Authorization: Basic Yg==', CLOSE),
    [400],
    0,
  ],
];

const FRAMING: readonly RawCase[] = [
  [
    'length and chunked',
    post(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET /x'),
    [400],
    0,
  ],
  ['two lengths', post(['Content-Length: 5', 'Content-Length: 6'], 'aaaaaa'), [400], 0],
  ['the same length twice', post(['Content-Length: 5', 'Content-Length: 5'], 'aaaaa'), [400], 0],
  ['list of lengths', post(['Content-Length: 5, 5'], 'aaaaa'), [400], 0],
  ['signed length', post(['Content-Length: +5'], 'aaaaa'), [400], 0],
  ['negative length', post(['Content-Length: -5'], 'aaaaa'), [400], 0],
  ['hexadecimal length', post(['Content-Length: 0x5'], 'aaaaa'), [400], 0],
  ['endless length', post([`Content-Length: ${'9'.repeat(40)}`], 'aaaaa'), [400], 0],
  ['chunked, two codings', post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'), [400], 0],
  ['chunked twice', post(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'), [400], 0],
  ['chunked, then another', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'), [400], 0],
  ['disguised chunked', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'), [400], 0],
  [
    'two Transfer-Encodings',
    post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'),
    [400],
    0,
  ],
  ['chunked in HTTP/1.0', `POST ${BASE} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, [400], 0],
  ['bad chunk size', post(['Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'), [400], 0],
  ['signed chunk size', post(['Transfer-Encoding: chunked'], '+3\r\nabc\r\n0\r\n\r\n'), [400], 0],
  ['chunk longer than said', post(['Transfer-Encoding: chunked'], '1\r\nabc\r\n0\r\n\r\n'), [400], 0],
  ['huge chunk size', post(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\nabc'), [400], 0],
  ['chunk ended by LF', post(['Transfer-Encoding: chunked'], '3\nabc\n0\n\n'), [400], 0],
  [
    '17 KB chunk extension',
    post(['Transfer-Encoding: chunked'], `3;${'a'.repeat(17_000)}\r\nabc\r\n0\r\n\r\n`),
    [413],
    0,
  ],
  ['announced 2 MB', post(['Content-Length: 2000000'], 'a'), [413], 0],
  [
    'chunked 2 MB',
    post(['Transfer-Encoding: chunked'], `100000\r\n${'a'.repeat(0x100000)}\r\n`.repeat(2)),
    [413],
    0,
  ],
  [
    'chunked',
    post([CLOSE, JSON_TYPE, 'Transfer-Encoding: chunked'], '3\r\n[1,\r\n2;x=y\r\n2]\r\n0\r\nX-T: 1\r\n\r\n'),
    [200],
    1,
  ],
  [
    'chunked on GET',
    GET(BASE, HOST, CLOSE, JSON_TYPE, 'Transfer-Encoding: chunked').concat('2\r\n[]\r\n0\r\n\r\n'),
    [200],
    1,
  ],
];

const BROKEN_OFF: readonly RawCase[] = [
  ['truncated body', post([JSON_TYPE, 'Content-Length: 50'], '{"a":'), [400], 0, 'end'],
  ['chunked without end', post([JSON_TYPE, 'Transfer-Encoding: chunked'], '3\r\n[1,\r\n'), [400], 0, 'end'],
  ['truncated headers', `GET ${BASE} HTTP/1.1\r\nHost:`, [400], 0, 'end'],
  ['nothing', '', [], 0, 'end'],
  ['blank lines', '\r\n\r\n', [], 0, 'end'],
];

const EXPECT: readonly RawCase[] = [
  ['100-continue', post([CLOSE, JSON_TYPE, 'Expect: 100-continue', 'Content-Length: 2'], '{}'), [200], 1],
  ['100-continue, too large', post(['Expect: 100-continue', 'Content-Length: 2000000']), [413], 0],
  ['unknown expectation', post([CLOSE, 'Expect: cake', 'Content-Length: 2'], '{}'), [417], 0],
  ['upgrade is not taken', GET(BASE, HOST, 'Connection: Upgrade', 'Upgrade: h2c').concat(OK), [200], 1],
];

const TYPES: readonly RawCase[] = [
  ['small letters', typed('content-type:application/json'), [200], 1],
  ['tab and blanks', typed('Content-Type:\tapplication/json \t'), [200], 1],
  ['parameter', typed('Content-Type: application/json;charset=utf-8'), [200], 1],
  ['last semicolon', typed('Content-Type: application/json;'), [200], 1],
  ['two types', typed('Content-Type: application/json\r\nContent-Type: text/plain'), [400], 0],
  ['two in one', typed('Content-Type: application/json, text/plain'), [415], 0],
  ['no slash', typed('Content-Type: json'), [415], 0],
  ['blank inside', typed('Content-Type: application/ json'), [415], 0],
  ['bad parameter', typed('Content-Type: application/json; charset'), [415], 0],
  ['raw byte', typed('Content-Type: application/j\xe9son'), [415], 0],
  ['empty', typed('Content-Type:'), [200], 1],
  ['gzip', typed('Content-Encoding: gzip'), [415], 0],
  ['identity', typed('Content-Encoding: identity'), [200], 1],
];

const PIPELINES: readonly RawCase[] = [
  ['three', GET(`${BASE}/1`, HOST) + GET(`${BASE}/2`, HOST) + OK, [200, 200, 200], 3],
  ['slow one first', GET(`${BASE}/slow`, HOST) + OK, [200, 200], 2],
  ['refused in the middle', OK.replace(`${CLOSE}\r\n`, '') + GET(`${BASE}/%`, HOST) + OK, [200, 400, 200], 2],
  ['broken JSON in the middle', post([JSON_TYPE, 'Content-Length: 1'], '{') + OK, [400, 200], 1],
  ['nonsense after a request', GET(BASE, HOST).concat('nonsense\r\n\r\n'), [200, 400], 1],
  ['nonsense after a slow one', GET(`${BASE}/slow`, HOST).concat('nonsense\r\n\r\n'), [200, 400], 1],
  [
    'broken body after a slow one',
    GET(`${BASE}/slow`, HOST) + post(['Transfer-Encoding: chunked'], 'zz\r\n'),
    [200, 400],
    1,
  ],
  ['nothing is read after a refused body', post(['Content-Length: 2000000'], OK), [413], 0],
  ['nothing is read after close', OK + OK, [200], 1],
  ['smuggled in a body', post([CLOSE, `Content-Length: ${OK.length}`], OK), [200], 1],
];

export const RAW_CASES: readonly RawCase[] = [
  ...TARGETS,
  ...LINES,
  ...HOSTS,
  ...FRAMING,
  ...BROKEN_OFF,
  ...EXPECT,
  ...TYPES,
  ...PIPELINES,
];
