import { createPause, own, runInTurns, type Steps } from '../../../plugin.ts';
import type { Job } from '../records/job-record.ts';
import { readParts, type WordReader, createWordReader } from './text-tokens.ts';

/** How much there is to translate. `characters`: without white space. */
interface TextSize {
  readonly words: number;
  readonly characters: number;
}

/** Words between two interruptions. */
const STEP = 200;

/** Number of characters without white space. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text.replaceAll(/\s+/gu, '')) count += 1;
  return count;
}

/** Counts the words and characters of an HTML text. Tags, attributes and scripts do not count. */
export function* measureText(html: string, reader: WordReader): Steps<TextSize> {
  const texts: string[] = [];
  readParts(html, {
    onText: (text) => {
      texts.push(text);
    },
    onTag: () => undefined,
  });
  let [words, characters] = [0, 0];
  for (const text of texts) {
    for (const _word of reader.words(text)) if ((words += 1) % STEP === 0) yield;
    characters += countCharacters(text);
  }
  return { words, characters };
}

/** Units, words and characters of a job, or of a part of it. */
interface WordCount {
  readonly units: number;
  readonly words: number;
  readonly characters: number;
}

/** `repeated`: the same text as an earlier unit. `memory`: filled in from the memory. `fuzzy`: a similar text is suggested. `translated`: by a person or a machine. `new`: the rest. */
export const WORD_KINDS = ['translated', 'memory', 'repeated', 'fuzzy', 'new'] as const;
type WordKind = (typeof WORD_KINDS)[number];

/** The words of a job. Each unit counts for one kind. */
export interface JobWords extends WordCount {
  readonly kinds: Readonly<Record<WordKind, WordCount>>;
}

function toKind({ targets, matches }: Job, id: string, isRepeated: boolean): WordKind {
  const target = own(targets, id);
  if (target !== undefined) return target.memory === undefined ? 'translated' : 'memory';
  if (isRepeated) return 'repeated';
  return own(matches ?? {}, id) === undefined ? 'new' : 'fuzzy';
}

const NONE: WordCount = { units: 0, words: 0, characters: 0 };

const add = (left: WordCount, right: WordCount): WordCount => ({
  units: left.units + right.units,
  words: left.words + right.words,
  characters: left.characters + right.characters,
});

/** Counts the words of a job's source texts, as `measureText`. Slugs do not count, because they are made from titles. */
export async function countWords(job: Job): Promise<JobWords> {
  const reader = createWordReader(job.source);
  const pause = createPause();
  const seen = new Set<string>();
  const counts = new Map<WordKind, WordCount>();
  for (const { id, source } of job.fields) {
    await pause();
    if (id === 'URL') continue;
    const kind = toKind(job, id, seen.has(source));
    seen.add(source);
    counts.set(
      kind,
      add(counts.get(kind) ?? NONE, { units: 1, ...(await runInTurns(measureText(source, reader), pause)) }),
    );
  }
  const kinds = Object.fromEntries(WORD_KINDS.map((kind) => [kind, counts.get(kind) ?? NONE])) as Record<
    WordKind,
    WordCount
  >;
  return { ...[...counts.values()].reduce(add, NONE), kinds };
}
