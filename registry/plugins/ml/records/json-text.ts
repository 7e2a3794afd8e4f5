import type { Json } from '../../../../lib/index.ts';
import { type Steps, runSteps } from '../../../plugin.ts';

/** The list or object that a text contains as JSON; undefined for any other text. Some custom fields have one, footnotes for example. */
export function readJsonText(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The text begins like JSON, but is text like any other.
    return undefined;
  }
}

const MAX_DEPTH = 32;

function mapLeaves(value: Json, change: (text: string) => string, depth = 0): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: Json) => mapLeaves(item, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change, depth + 1)]),
  );
}

/** Changes the texts in a JSON text, or any other text itself. A text in which nothing changes stays byte for byte. */
export function* mapTexts(text: string, change: (text: string) => Steps<string>): Steps<string> {
  const value = readJsonText(text);
  if (value === undefined) return yield* change(text);
  let isChanged = false;
  const mapped = mapLeaves(value, (leaf) => {
    const written = runSteps(change(leaf));
    isChanged ||= written !== leaf;
    return written;
  });
  return isChanged ? JSON.stringify(mapped) : text;
}
