import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import { sanitiseContent, sanitiseTitle } from '../../content/sanitise.ts';
import { toSlug } from '../../content/slug.ts';
import type { FieldTexts } from '../jobs/job-fields.ts';
import type { Job } from '../jobs/job-record.ts';

const MAX_DEPTH = 32;

function cleanLeaves(value: Json, depth = 0): Json {
  if (typeof value === 'string') return sanitiseContent(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return typeof value === 'object' ? null : value;
  if (Array.isArray(value)) return value.map((item: Json) => cleanLeaves(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanLeaves(member, depth + 1)]));
}

/** Some custom fields contain JSON (footnotes, for example). Only the strings inside are sanitised, so the JSON stays valid. */
function cleanField(text: string): string {
  if (!/^\s*[[{]/.test(text)) return sanitiseContent(text);
  try {
    return JSON.stringify(cleanLeaves(JSON.parse(text) as Json));
  } catch {
    // The text is not JSON and is sanitised like any other text.
    return sanitiseContent(text);
  }
}

const CLEANERS: Readonly<Record<string, (text: string) => string>> = {
  title: (text) => sanitiseTitle(text).trim(), body: (text) => sanitiseContent(text), excerpt: (text) => sanitiseContent(text),
};

/**
 * The texts of a job, ready to be stored. Markup is kept only if both the user who delivered the text and the user who applies
 * it may write unfiltered HTML. A text that equals its source adds nothing and is kept. Slugs are always generated again.
 */
export function cleanTargets({ fields, targets }: Pick<Job, 'fields' | 'targets'>, applicant: Identity): FieldTexts {
  const mayApplyAll = can(applicant, 'unfiltered_html');
  const sources = new Map(fields.map(({ id, source }) => [id, source]));
  return new Map(Object.entries(targets).map(([id, { text, unfiltered = false }]) => {
    if (id === 'URL') return [id, toSlug(text)];
    const stays = (unfiltered && mayApplyAll) || text === sources.get(id);
    return [id, stays ? text : (own(CLEANERS, id) ?? cleanField)(text)];
  }));
}
