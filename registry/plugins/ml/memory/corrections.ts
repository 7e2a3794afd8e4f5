import {
  findFirst,
  and,
  eq,
  type Json,
  oneOf,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import { findByIds, own, retryRaces, runInTurns, type Steps, toUpdate } from '../../../plugin.ts';
import { toPostTexts } from '../posts/source-texts.ts';
import type { MlRecord } from '../records/collections.ts';
import { type JobField, type PostTexts, readJsonText } from '../records/job-texts.ts';
import { joinFields, splitText } from '../segments/split-text.ts';
import { rememberTexts } from './memory-entry.ts';

/** A text of a translation as it was applied. `units`: the ids and sources of its segments, in order, with their texts; none if they cannot be told apart in the translation. */
type AppliedText = {
  readonly id: string;
  readonly label: string;
  readonly path?: readonly string[];
  readonly text: string;
  readonly units: readonly AppliedUnit[];
};

type AppliedUnit = { readonly id: string; readonly source: string; readonly text: string };

/** What was last applied to a translation (`collections.ts`). */
interface Applied extends MlRecord<'ml_applied'> {
  readonly texts: readonly AppliedText[];
}

// The store returns what the collection descriptor declares.
const toApplied = (record: StoredRecord): Applied => record as Applied;

const OWN: ReadonlyMap<string, 'title' | 'content' | 'excerpt'> = new Map([
  ['title', 'title'],
  ['body', 'content'],
  ['excerpt', 'excerpt'],
]);

function readPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = typeof value === 'string' ? readJsonText(value) : value;
  return typeof members === 'object' && members !== null
    ? readPath(own(members as Readonly<Record<string, Json>>, name), rest)
    : undefined;
}

/** The text of a field in a post; undefined for a field that is not compared: slugs and names of terms. */
function readField({ id, path }: Pick<JobField, 'id' | 'path'>, post: PostTexts): string | undefined {
  const name = OWN.get(id);
  if (name !== undefined) return post[name];
  const value = path === undefined ? undefined : readPath(post.meta, path);
  return typeof value === 'string' ? value : undefined;
}

/** The parts of a translation, if it has one for each segment of its source. */
function* toUnits(segments: readonly JobField[], text: string): Steps<readonly AppliedUnit[]> {
  const [first] = segments;
  if (first === undefined) return [];
  if (first.part === undefined) return [{ id: first.id, source: first.source, text }];
  const { parts } = yield* splitText(text);
  return parts.length === segments.length
    ? segments.map(({ id, source }, index) => ({ id, source, text: parts[index]?.source ?? '' }))
    : [];
}

/** What an application writes, by field. */
export function* toAppliedTexts(fields: readonly JobField[], post: PostTexts): Steps<readonly AppliedText[]> {
  const applied: AppliedText[] = [];
  for (const { field, segments } of joinFields(fields)) {
    const text = readField(field, post);
    if (text !== undefined)
      applied.push({
        id: field.id,
        label: field.label,
        ...(field.path === undefined ? {} : { path: field.path }),
        text,
        units: yield* toUnits(segments, text),
      });
    yield;
  }
  return applied;
}

/** A text that was corrected by hand after it was applied. */
interface Correction extends AppliedUnit {
  /** The text that was applied. */
  readonly applied: string;
}

/** Corrections of one text. `units` is null if it cannot be told which segments were corrected. */
interface CorrectedText {
  readonly text: AppliedText;
  readonly current: string;
  readonly units: readonly Correction[] | null;
}

const toCorrection = (unit: AppliedUnit, text: string): Correction => ({ ...unit, text, applied: unit.text });

/**
 * Compares the segments place by place. Null if there are more or fewer than before, or if a text has moved: then it cannot be told which
 * segment is the correction of which. Of equal segments, each has its own place.
 */
function compareUnits(units: readonly AppliedUnit[], parts: readonly string[]): readonly Correction[] | null {
  if (units.length !== parts.length) return null;
  const corrections = units
    .map((unit, index) => toCorrection(unit, parts[index] ?? ''))
    .filter(({ applied, text }) => applied !== text);
  const written = new Set(corrections.map(({ text }) => text));
  return corrections.some(({ applied }) => written.has(applied)) ? null : corrections;
}

function* compareText(text: AppliedText, current: string): Steps<CorrectedText> {
  const [only] = text.units;
  if (only !== undefined && text.units.length === 1 && only.text === text.text)
    return { text, current, units: [toCorrection(only, current)] };
  if (text.units.length === 0) return { text, current, units: null };
  return {
    text,
    current,
    units: compareUnits(
      text.units,
      (yield* splitText(current)).parts.map(({ source }) => source),
    ),
  };
}

/** The texts of a translation that are no longer those that were applied. */
export function* listCorrections({ texts }: Applied, result: StoredRecord): Steps<readonly CorrectedText[]> {
  const post = toPostTexts(result);
  const corrected: CorrectedText[] = [];
  for (const text of texts) {
    const current = readField(text, post);
    if (current !== undefined && current !== text.text) corrected.push(yield* compareText(text, current));
  }
  return corrected;
}

/** The corrected segments of a translation, as far as they can be told apart. */
async function listUnits(applied: Applied, result: StoredRecord): Promise<readonly Correction[]> {
  return (await runInTurns(listCorrections(applied, result))).flatMap(({ units }) => units ?? []);
}

/** What was last applied to the translation of a post; null if nothing was, or if the translation is another post now. */
export async function findApplied(store: Store, post: number, target: string): Promise<Applied | null> {
  const found = await findFirst(store, {
    collection: 'ml_applied',
    where: and(eq('post', post), eq('target', target)),
  });
  return found === undefined ? null : toApplied(found);
}

/** Corrections by hand of the translation of a post, by source text. */
export async function readCorrections(
  store: Store,
  post: number,
  target: string,
): Promise<ReadonlyMap<string, string>> {
  const applied = await findApplied(store, post, target);
  const result = applied === null ? null : await store.get('posts', applied.result);
  if (applied === null || result === null || UNREAD.has(String(result['status']))) return new Map();
  return new Map((await listUnits(applied, result)).map(({ source, text }) => [source, text]));
}

const UNREAD: ReadonlySet<string> = new Set(['trash', 'auto-draft']);

/**
 * Puts the corrections of these posts' translations into the memory.
 * @returns whether there were any
 */
export async function learnCorrections(
  store: Store,
  posts: readonly number[],
  target: string,
): Promise<boolean> {
  const { records } = await store.find({
    collection: 'ml_applied',
    where: and(oneOf('post', posts), eq('target', target)),
    fields: ['result', 'learned'],
  });
  if (records.length === 0) return false;
  const ids = records.map(({ result }) => Number(result));
  const results = await findByIds(store, { collection: 'posts', ids, fields: ['status'] });
  let learned = false;
  for (const { id, result, learned: version } of records) {
    const post = results.get(Number(result));
    if (post !== undefined && post.version !== version && !UNREAD.has(String(post['status'])))
      learned = (await retryRaces(() => learn(store, id))) || learned;
  }
  return learned;
}

async function learn(store: Store, id: number): Promise<boolean> {
  const record = await store.get('ml_applied', id);
  const result = record === null ? null : await store.get('posts', Number(record['result']));
  if (record === null || result === null) return false;
  const applied = toApplied(record);
  const units = await listUnits(applied, result);
  await rememberTexts(
    store,
    applied,
    units.map(({ id: field, source, text }) => ({ field: { id: field, source }, text })),
  );
  await store.commit([toUpdate('ml_applied', { id }, { learned: result.version })]);
  return units.length > 0;
}

/** Texts that a new translation would write. */
interface NewTexts {
  readonly fields: readonly JobField[];
  readonly post: PostTexts;
}

/** The ids of the units whose corrections a new translation would overwrite: those that still have the same source, but another text. */
export function* listOverwritten(
  applied: Applied,
  result: StoredRecord,
  { fields, post }: NewTexts,
): Steps<readonly string[]> {
  const next = new Map((yield* toAppliedTexts(fields, post)).map((text) => [text.id, text]));
  return (yield* listCorrections(applied, result)).flatMap(({ text, current, units }) => {
    const written = next.get(text.id);
    if (written === undefined || written.text === current) return [];
    if (units === null || written.units.length === 0) return [text.id];
    const byId = new Map(written.units.map((unit) => [unit.id, unit]));
    const bySource = new Map(written.units.map((unit) => [unit.source, unit]));
    return units.flatMap(({ id, source, text: corrected }) => {
      // Of equal segments, the one that was corrected.
      const same = byId.get(id);
      const unit = same?.source === source ? same : bySource.get(source);
      return unit === undefined || unit.text === corrected ? [] : [unit.id];
    });
  });
}
