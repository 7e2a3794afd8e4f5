import { own } from '../../../lib/core/objects.ts';
import type { Digest } from './client.ts';
import { compare, isText } from './compare.ts';
import { getAt, MISSING, without } from './pointers.ts';
import type { Difference, Expect, Vars } from './scenario.ts';

/** Headers whose values are unordered lists. */
const LISTS = /^(?:allow|access-control-(?:allow-methods|allow-headers|expose-headers)|vary)$/;

const toSet = (header: unknown): string =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().toUpperCase())
    .filter(Boolean)
    .sort()
    .join(', ');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A URL with decoded, sorted parameters. */
function toComparable(url: string): string {
  const [path = '', query = ''] = url.split('?');
  return `${path}?${query.split('&').filter(Boolean).map(decode).sort().join('&')}`;
}

function checkLinks(links: object, digest: Digest, vars: Vars): readonly Difference[] {
  const isRight = (wanted: unknown, actual: string | undefined): boolean => {
    if (wanted === null || actual === undefined) return wanted === null && actual === undefined;
    return toComparable(String(wanted)) === toComparable(actual) || isText(String(wanted), actual, vars);
  };
  return Object.entries(links)
    .filter(([relation, url]) => !isRight(url, own(digest.links, relation)))
    .map(([relation, url]: [string, unknown]) => ({
      path: `header link rel=${relation}`,
      expected: url,
      actual: own(digest.links, relation),
    }));
}

function isHeader(
  name: string,
  expected: unknown,
  { actual, vars }: { actual: string | undefined; vars: Vars },
): boolean {
  if (expected === null) return actual === undefined;
  if (LISTS.test(name)) return toSet(expected) === toSet(actual);
  return actual !== undefined && isText(String(expected), actual, vars);
}

function checkHeaders(
  headers: Readonly<Record<string, unknown>>,
  digest: Digest,
  vars: Vars,
): readonly Difference[] {
  return Object.entries(headers).flatMap(([name, expected]) => {
    if (name === 'link' && typeof expected === 'object' && expected !== null)
      return checkLinks(expected, digest, vars);
    const actual = own(digest.headers, name);
    return isHeader(name, expected, { actual, vars }) ? [] : [{ path: `header ${name}`, expected, actual }];
  });
}

/** Ids in a form in which the order of posts with equal sort keys does not matter. */
function toOrderless(ids: unknown, { ties, unordered }: Expect): unknown {
  if (!Array.isArray(ids)) return ids;
  return unordered === true
    ? [...ids].sort((left, right) => Number(left) - Number(right))
    : ids.map((id: number) => (ties?.includes(id) === true ? 'tie' : id));
}

function checkAt(expect: Expect, body: unknown, vars: Vars): readonly Difference[] {
  return Object.entries(expect.at ?? {}).flatMap(([pointer, expected]) => {
    const actual = getAt(body, pointer);
    if (pointer === '/*/id' && (expect.ties !== undefined || expect.unordered === true)) {
      return compare(toOrderless(expected, expect), toOrderless(actual, expect), {
        vars,
        path: pointer,
        key: 'id',
      });
    }
    const key = pointer.split('/').findLast((part) => part !== '*') ?? '';
    return compare(expected, actual === MISSING ? MISSING : without(actual, expect.ignore ?? []), {
      vars,
      path: pointer,
      key,
    });
  });
}

function isAbsent(body: unknown, pointer: string): boolean {
  const value = getAt(body, pointer);
  return (
    value === MISSING ||
    (Array.isArray(value) && pointer.includes('*') && value.every((each) => each === '§missing'))
  );
}

/** The differences between a response and the recorded one. */
export function checkAnswer(expect: Expect, digest: Digest, vars: Vars): readonly Difference[] {
  const { status, body } = digest;
  return [
    ...(expect.status === status ? [] : [{ path: 'status', expected: expect.status, actual: status }]),
    ...checkHeaders(expect.headers ?? {}, digest, vars),
    ...(expect.noBody === true && body !== undefined
      ? [{ path: 'body', expected: '(empty)', actual: body }]
      : []),
    ...('body' in expect
      ? compare(expect.body, body === undefined ? MISSING : without(body, expect.ignore ?? []), {
          vars,
          path: '',
          key: '',
        })
      : []),
    ...checkAt(expect, body, vars),
    ...(expect.absent ?? [])
      .filter((pointer) => !isAbsent(body, pointer))
      .map((pointer) => ({ path: pointer, expected: '(absent)', actual: getAt(body, pointer) })),
  ];
}
