import type { Json } from '../../lib/schema-dialect.ts';
import { can, type Identity } from '../../lib/identity.ts';
import { sanitiseContent, sanitiseTitle } from '../content/sanitise.ts';
import { toSlug } from '../content/slug.ts';
import type { FieldTexts } from './job-fields.ts';

const MAX_DEPTH = 32;

function cleanLeaves(value: Json, prefix: string, depth = 0): Json {
  if (typeof value === 'string') return sanitiseContent(value, prefix);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return typeof value === 'object' ? null : value;
  if (Array.isArray(value)) return value.map((item: Json) => cleanLeaves(item, prefix, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanLeaves(member, prefix, depth + 1)]));
}

/** Some custom fields hold JSON as text (footnotes): its texts are cleaned, not its quotes. */
function cleanField(text: string, prefix: string): string {
  if (!/^\s*[[{]/.test(text)) return sanitiseContent(text, prefix);
  try {
    return JSON.stringify(cleanLeaves(JSON.parse(text) as Json, prefix));
  } catch {
    // Not JSON after all: a text like any other.
    return sanitiseContent(text, prefix);
  }
}

const CLEANERS: Readonly<Record<string, (text: string, prefix: string) => string>> = {
  title: (text) => sanitiseTitle(text).trim(), body: sanitiseContent, excerpt: sanitiseContent,
};

/**
 * Translations as the caller may write them: markup is cleaned unless he may write any. Slugs are always made anew.
 * `prefix`: of block comments, which stay.
 */
export function cleanTexts(texts: FieldTexts, identity: Identity, prefix: string): FieldTexts {
  const isTrusted = can(identity, 'unfiltered_html');
  return new Map([...texts].map(([id, text]) => {
    if (id === 'URL') return [id, toSlug(text)];
    return [id, isTrusted ? text : (CLEANERS[id] ?? cleanField)(text, prefix)];
  }));
}
