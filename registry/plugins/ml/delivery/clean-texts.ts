import { type Identity, type Json, can } from '../../../../lib/index.ts';
import {
  type Steps,
  isObject,
  runSteps,
  sanitiseParts,
  sanitiseTranslation,
  toSlug,
} from '../../../plugin.ts';
import { type FieldTexts, readJsonText } from '../records/job-texts.ts';
import { warnOfCleaning, type DeliveryWarning } from '../segments/delivery-warnings.ts';
import type { joinJob, JoinedTarget } from '../segments/split-text.ts';

const MAX_DEPTH = 32;

function cleanLeaves(value: Json, source: string, depth = 0): Json {
  if (typeof value === 'string') return runSteps(sanitiseTranslation(value, source));
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH)
    return typeof value === 'object' ? null : value;
  if (Array.isArray(value)) return value.map((item: Json) => cleanLeaves(item, source, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cleanLeaves(member, source, depth + 1)]),
  );
}

function* leavesOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isObject(value) || Array.isArray(value))
    for (const member of Object.values(value)) yield* leavesOf(member);
}

/** Of a field with JSON, only the strings inside are cleaned, so that it stays valid JSON. */
function* cleanField(text: string, source: string): Steps<string> {
  const value = readJsonText(text);
  if (value === undefined) return yield* sanitiseTranslation(text, source);
  const cleaned = JSON.stringify(
    cleanLeaves(value, [...leavesOf(readJsonText(source) ?? source)].join('\n')),
  );
  return cleaned === JSON.stringify(value) ? text : cleaned;
}

/** A translated text as it is stored for users who may not write all markup. A text that equals its source stays byte for byte. */
export function* cleanText(id: string, text: string, source: string): Steps<string> {
  if (id === 'URL') return toSlug(text);
  if (text === source) return text;
  if (id === 'title') return (yield* sanitiseTranslation(text, source, 'title')).trim();
  return yield* id === 'body' || id === 'excerpt'
    ? sanitiseTranslation(text, source)
    : cleanField(text, source);
}

/** The texts of a job, ready to be stored, and what was removed from them. */
interface CleanTargets {
  readonly texts: FieldTexts;
  readonly warnings: readonly DeliveryWarning[];
}

/**
 * The texts of a job, ready to be stored. What a translation adds to its source is kept only if both the user who delivered the text and the
 * user who applies it may write unfiltered HTML. Slugs are always generated again.
 */
export function* cleanTargets(
  { fields, targets }: ReturnType<typeof joinJob>,
  applicant: Identity,
): Steps<CleanTargets> {
  const mayApplyAll = can(applicant, 'unfiltered_html');
  const clean = (id: string, { text, parts }: JoinedTarget): Steps<string> =>
    parts === undefined || readJsonText(text) !== undefined
      ? cleanText(id, text, sources.get(id) ?? '')
      : sanitiseParts(parts);
  const sources = new Map(fields.map(({ id, source }) => [id, source]));
  const texts = new Map<string, string>();
  const warnings: DeliveryWarning[] = [];
  for (const [id, target] of Object.entries(targets)) {
    const { text, unfiltered = false } = target;
    const cleaned = unfiltered && mayApplyAll && id !== 'URL' ? text : yield* clean(id, target);
    texts.set(id, cleaned);
    if (id !== 'URL') warnings.push(...(yield* warnOfCleaning(id, text, cleaned)));
    yield;
  }
  return { texts, warnings };
}
