import { type Identity, can } from '../../../../lib/index.ts';
import { type Steps, isObject, sanitiseParts, sanitiseTranslation, toSlug } from '../../../plugin.ts';
import { type FieldTexts, mapTexts, readJsonText } from '../records/job-texts.ts';
import { warnOfCleaning, type DeliveryWarning } from '../segments/delivery-warnings.ts';
import type { joinJob, JoinedTarget } from '../segments/split-text.ts';

function* leavesOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isObject(value) || Array.isArray(value))
    for (const member of Object.values(value)) yield* leavesOf(member);
}

/** Of a field with JSON, only the strings inside are cleaned, so that it stays valid JSON. What is too deep to be cleaned is removed. */
function* cleanField(text: string, source: string): Steps<string> {
  const isJson = readJsonText(text) !== undefined;
  const sources = isJson ? [...leavesOf(readJsonText(source) ?? source)].join('\n') : source;
  return yield* mapTexts(
    text,
    (leaf) => sanitiseTranslation(leaf, sources),
    () => null,
  );
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
