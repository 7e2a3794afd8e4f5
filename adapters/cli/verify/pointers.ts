import { isObject } from '../../../lib/core/objects.ts';

/** Marks a missing value. */
export const MISSING = Symbol('missing');

function split(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Members that responses may have in addition to the recorded ones. */
const TOLERATED: ReadonlySet<string> = new Set(['curies', 'ml_language', 'wpml_language']);

function step(value: unknown, part: string): unknown {
  if (typeof value !== 'object' || value === null) return MISSING;
  if (part === '#') return Array.isArray(value) ? value.length : Object.keys(value).length;
  if (part === '@keys' || part === '@keysonly')
    return Object.keys(value)
      .filter((key) => !TOLERATED.has(key))
      .sort();
  return Object.hasOwn(value, part) ? Reflect.get(value, part) : MISSING;
}

function walk(value: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  if (part !== '*') {
    const found = step(value, part);
    return found === MISSING ? MISSING : walk(found, rest);
  }
  if (typeof value !== 'object' || value === null) return MISSING;
  return Object.values(value).map((each: unknown) => {
    const found = walk(each, rest);
    return found === MISSING ? '§missing' : found;
  });
}

/** The value at a JSON pointer. `*`: each element, as a list; `#`: the length; `@keys`, `@keysonly`: the names of the members. */
export function getAt(value: unknown, pointer: string): unknown {
  return pointer === '' ? value : walk(value, split(pointer));
}

function fits(parts: readonly string[], path: readonly string[]): boolean {
  return parts.length === path.length && parts.every((part, index) => part === '*' || part === path[index]);
}

function isIgnored(path: readonly string[], pointer: string): boolean {
  if (!pointer.startsWith('**/')) return fits(split(pointer), path);
  const tail = pointer.slice(3).split('/');
  return path.length >= tail.length && fits(tail, path.slice(-tail.length));
}

/** The value without the members at the pointers. A leading `**` matches any depth. */
export function without(value: unknown, pointers: readonly string[], path: readonly string[] = []): unknown {
  if (pointers.some((pointer) => isIgnored(path, pointer))) return MISSING;
  if (Array.isArray(value)) {
    return value.map((each, index) => {
      const kept = without(each, pointers, [...path, String(index)]);
      return kept === MISSING ? '§any' : kept;
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const kept = without(each, pointers, [...path, key]);
      return kept === MISSING ? [] : [[key, kept]];
    }),
  );
}
