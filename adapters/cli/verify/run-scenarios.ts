import { isObject, own } from '../../../lib/core/objects.ts';
import { decodePercent } from '../../../lib/core/text.ts';
import {
  type Digest,
  isAboutNow,
  send,
  type Target,
  toDigest,
  toGmtTime,
  toRequestTarget,
  toSiteTime,
} from './client.ts';
import { getAt, MISSING, without } from './pointers.ts';
import {
  type Difference,
  type Expect,
  isRead,
  mutates,
  type Scenario,
  type Step,
  type Vars,
} from './scenario.ts';

/** Members that responses have in addition, in neutral and in wire names. */
const LANGUAGE_MEMBERS = ['ml_language', 'wpml_language'];
/** Lists whose order does not matter. */
const SETS: ReadonlySet<string> = new Set(['categories', 'tags']);

/** Position of a value in the response. `key`: name of the member, which some rules depend on. */
interface Place {
  readonly vars: Vars;
  readonly path: string;
  readonly key: string;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Whether a text matches the expected one, in which `${name}` stands for a saved value and `${*}` for digits. */
export function isText(expected: string, actual: string, vars: Vars): boolean {
  if (expected === actual) return true;
  if (!expected.includes('${')) return false;
  const parts = expected.split(/(\$\{[\w*]+\})/).map((part) => {
    const name = /^\$\{([\w*]+)\}$/.exec(part)?.[1];
    if (name === undefined) return escape(part);
    return name === '*' ? String.raw`\d+` : escape(String(own(vars, name) ?? '\0'));
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(actual);
}

/** The words of a piece of HTML. */
function toPlain(html: string): string {
  return html
    .replaceAll(/<[^>]*>?/g, (tag) => (tag.endsWith('>') ? ' ' : tag))
    .replaceAll(/&hellip;|&#8230;/g, '…')
    .replaceAll('&amp;', '&')
    .replaceAll(/&nbsp;|&#160;/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Placeholders for a kind of value. */
const KINDS: Readonly<Record<string, (actual: unknown) => boolean>> = {
  '§any': () => true,
  '§missing': (actual) => actual === MISSING || actual === '§missing',
  '§id': Number.isInteger,
  '§int': Number.isInteger,
  '§string': (actual) => typeof actual === 'string',
  '§html': (actual) => typeof actual === 'string' && actual !== '',
  '§now': (actual) => isAboutNow(actual, toSiteTime),
  '§now-gmt': (actual) => isAboutNow(actual, toGmtTime),
};

function isExpectedText(expected: string, actual: unknown, vars: Vars): boolean {
  const kind = own(KINDS, expected);
  if (kind !== undefined) return kind(actual);
  const saved = /^\$\{(\w+)\}$/.exec(expected)?.[1];
  if (saved !== undefined && typeof actual === 'number') return own(vars, saved) === actual;
  if (typeof actual !== 'string') return false;
  return expected.startsWith('§text:')
    ? toPlain(actual) === expected.slice('§text:'.length)
    : isText(expected, actual, vars);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

const toSet = (list: readonly unknown[]): string => JSON.stringify([...list].sort());

function compareLists(expected: readonly unknown[], actual: unknown, place: Place): readonly Difference[] {
  const bad = [{ path: place.path, expected, actual }];
  if (!Array.isArray(actual)) return bad;
  const found: readonly unknown[] = actual;
  if (place.key === '@keys') return expected.every((each) => found.includes(each)) ? [] : bad;
  if (found.length !== expected.length) return bad;
  if (SETS.has(place.key)) return toSet(expected) === toSet(found) ? [] : bad;
  return expected.flatMap((each, index) =>
    compare(each, found[index], { ...place, path: `${place.path}/${index}` }),
  );
}

function compareMembers(expected: object, actual: unknown, { vars, path }: Place): readonly Difference[] {
  if (!isObject(actual)) return [{ path, expected, actual }];
  const names = Object.keys(actual);
  const used = new Set(LANGUAGE_MEMBERS);
  const wrong = Object.entries(expected).flatMap(([key, value]) => {
    const name = key.includes('${') ? (names.find((each) => isText(key, each, vars)) ?? key) : key;
    used.add(name);
    return compare(value, Object.hasOwn(actual, name) ? own(actual, name) : MISSING, {
      vars,
      path: `${path}/${key}`,
      key,
    });
  });
  return [
    ...wrong,
    ...names
      .filter((name) => !used.has(name))
      .map((name) => ({ path: `${path}/${name}`, expected: '(absent)', actual: own(actual, name) })),
  ];
}

/** The differences between a value and the expected one. An empty list equals an empty object. */
function compare(expected: unknown, actual: unknown, place: Place): readonly Difference[] {
  const bad = [{ path: place.path || '(root)', expected, actual: actual === MISSING ? '(missing)' : actual }];
  if (typeof expected === 'string') return isExpectedText(expected, actual, place.vars) ? [] : bad;
  if (actual === MISSING) return bad;
  if (isEmpty(expected) && isEmpty(actual)) return [];
  if (Array.isArray(expected)) return compareLists(expected, actual, place);
  if (typeof expected === 'object' && expected !== null) return compareMembers(expected, actual, place);
  return Object.is(expected, actual) ? [] : bad;
}

/** Headers whose values are unordered lists. */
const LISTS = /^(?:allow|access-control-(?:allow-methods|allow-headers|expose-headers)|vary)$/;

const toNames = (header: unknown): string =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().toUpperCase())
    .filter(Boolean)
    .sort()
    .join(', ');

const decode = (text: string): string => decodePercent(text.replaceAll('+', ' ')) ?? text;

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
  if (LISTS.test(name)) return toNames(expected) === toNames(actual);
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
function checkAnswer(expect: Expect, digest: Digest, vars: Vars): readonly Difference[] {
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

/** Result of one scenario. `differences` are those of the first step that differs; steps are numbered from 1. */
export interface Outcome {
  readonly id: string;
  readonly step: number;
  readonly differences: readonly Difference[];
}

/** Restores the original fixture. null: it cannot be restored, so nothing but reads is sent. */
type Reset = (() => Promise<void>) | null;

interface Site {
  readonly target: Target;
  readonly reset: Reset;
}

async function runStep(step: Step, { target, reset }: Site, vars: Vars): Promise<readonly Difference[]> {
  // A saved value may have become a part of the address.
  if (reset === null && !isRead(step, toRequestTarget(step, target, vars)))
    throw new Error('not sent, because it may write; cases that write need --reset');
  const digest = toDigest(await send(step, target, vars), target);
  for (const [name, pointer] of Object.entries(step.save ?? {})) {
    const value = getAt(digest.body, pointer);
    if (value !== MISSING) vars[name] = value;
  }
  return checkAnswer(step.expect, digest, vars);
}

async function runScenario({ id, steps }: Scenario, site: Site): Promise<Outcome> {
  const vars: Vars = {};
  for (const [index, step] of steps.entries()) {
    const differences = await runStep(step, site, vars).catch((error: unknown): readonly Difference[] => [
      {
        path: 'connection',
        expected: 'an answer',
        actual: error instanceof Error ? error.message || error.name : String(error),
      },
    ]);
    if (differences.length > 0) return { id, step: index + 1, differences };
  }
  return { id, step: 0, differences: [] };
}

/** Runs recorded cases one after the other, each on the original fixture. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  target: Target,
  reset: Reset,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let isDirty = true;
  for (const scenario of scenarios) {
    if (isDirty) await reset?.();
    isDirty = mutates(scenario);
    outcomes.push(await runScenario(scenario, { target, reset }));
  }
  return outcomes;
}
