import { pause } from '../../../../lib/core/cooperative.ts';
import { own } from '../../../../lib/core/objects.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { changeOption, readOption, removeOption } from '../../../core/settings/options.ts';
import { seoError } from '../values/errors.ts';
import { toMembers, toNumber } from '../values/json.ts';
import { applyObject, applySetting, type ApplyParts, type Imported } from './apply.ts';
import {
  parseObjectLine,
  parseSettingLine,
  type ObjectLine,
  type Parsed,
  type SettingLine,
} from './fields.ts';

/** A line with its number, counted from 1. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/** Number of lines between two pauses. */
const AT_ONCE = 500;

/** The lines after the given number, without blank ones. */
async function* numberLines(lines: AsyncIterable<string>, behind = 0): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number % AT_ONCE === 0) await pause();
    if (number > behind && text.trim() !== '') yield { number, text };
  }
}

/** One imported line. */
interface ImportedLine extends Imported {
  readonly line: number;
}

/** `left`: whether more lines follow this batch. */
interface ImportBatch {
  readonly objects: readonly ImportedLine[];
  readonly left: boolean;
}

/** Dependencies of importers. */
interface ImportParts extends ApplyParts {
  readonly ports: Pick<Ports, 'imports' | 'log'>;
}

/** Imports the next batch of one type. */
type Importer = (parts: ImportParts) => Promise<ImportBatch>;

/** How the lines of a file are read and applied. `apply` returns null when the object does not exist on this site. */
interface FileKind<T> {
  readonly file: string;
  readonly parse: (text: string) => Parsed<T>;
  readonly apply: (line: T, parts: ApplyParts) => Promise<Imported | null>;
}

/** An invalid line. */
interface Fault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const LINES_AT_ONCE = 25;
const MAX_FAULTS = 100;
const NOTHING: ImportBatch = { objects: [], left: false };
const CURSORS = ['seo', 'imports'] as const;

/** Continues after the last imported line. Invalid lines are skipped and logged. */
function createFileImporter<T>({ file, parse, apply }: FileKind<T>): Importer {
  return async (parts) => {
    const { store, ports } = parts;
    const lines = (await ports.imports?.lines(file)) ?? null;
    if (lines === null)
      throw seoError('import_source_missing', { message: `The import directory has no file ${file}.` });
    let at = toNumber(own(toMembers(await readOption(store, ...CURSORS)), file));
    const objects: ImportedLine[] = [];
    let [seen, left] = [0, false];
    for await (const { number, text } of numberLines(lines, at)) {
      left = seen === LINES_AT_ONCE;
      if (left) break;
      const parsed = parse(text);
      const imported = 'line' in parsed ? await apply(parsed.line, parts) : null;
      if (imported === null)
        ports.log({
          level: 'warn',
          message: `${file}, line ${number}: ${'fault' in parsed ? parsed.fault : 'the object does not exist'}`,
        });
      else objects.push({ line: number, ...imported });
      [at, seen] = [number, seen + 1];
    }
    await changeOption(store, CURSORS, (value) => ({ ...toMembers(value), [file]: at }));
    return { objects, left };
  };
}

const POSTS: FileKind<ObjectLine> = {
  file: 'posts.jsonl',
  parse: parseObjectLine,
  apply: (line, parts) => applyObject('post', line, parts),
};
const TERMS: FileKind<ObjectLine> = {
  file: 'terms.jsonl',
  parse: parseObjectLine,
  apply: (line, parts) => applyObject('term', line, parts),
};
const SETTINGS: FileKind<SettingLine> = {
  file: 'settings.jsonl',
  parse: parseSettingLine,
  apply: applySetting,
};

async function listFaults(
  { ports }: ImportParts,
  { file, parse }: Pick<FileKind<unknown>, 'file' | 'parse'>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const lines = (await ports.imports?.lines(file)) ?? null;
  if (lines === null) return faults;
  for await (const { number, text } of numberLines(lines)) {
    const parsed = parse(text);
    if ('fault' in parsed) faults.push({ file, line: number, message: parsed.fault });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

/** Checks all existing files without importing them. @throws RestError `seo_error_validation` with the invalid lines */
const validate: Importer = async (parts) => {
  const errors = (await Promise.all([POSTS, TERMS, SETTINGS].map((kind) => listFaults(parts, kind)))).flat();
  if (errors.length > 0)
    throw seoError('seo_error_validation', { data: { errors: errors.slice(0, MAX_FAULTS) } });
  return NOTHING;
};

/** Resets the import positions of the files. */
const cleanUp: Importer = async ({ store }) => {
  await removeOption(store, ...CURSORS);
  return NOTHING;
};

/** `plugin/type` -> importer. */
export const IMPORTERS: ReadonlyMap<string, Importer> = new Map([
  ['file/posts', createFileImporter(POSTS)],
  ['file/terms', createFileImporter(TERMS)],
  ['file/settings', createFileImporter(SETTINGS)],
  ['file/validate_data', validate],
  ['file/cleanup', cleanUp],
]);
