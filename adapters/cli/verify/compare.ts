import { own } from '../../../lib/core/objects.ts';
import { isMembers, MISSING } from './pointers.ts';
import type { Difference, Vars } from './scenario.ts';
import { isAboutNow, toGmtTime, toSiteTime } from './site-clock.ts';

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
  if (!isMembers(actual)) return [{ path, expected, actual }];
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
export function compare(expected: unknown, actual: unknown, place: Place): readonly Difference[] {
  const bad = [{ path: place.path || '(root)', expected, actual: actual === MISSING ? '(missing)' : actual }];
  if (typeof expected === 'string') return isExpectedText(expected, actual, place.vars) ? [] : bad;
  if (actual === MISSING) return bad;
  if (isEmpty(expected) && isEmpty(actual)) return [];
  if (Array.isArray(expected)) return compareLists(expected, actual, place);
  if (typeof expected === 'object' && expected !== null) return compareMembers(expected, actual, place);
  return Object.is(expected, actual) ? [] : bad;
}
