import { createPause, own, runInTurns } from '../../../plugin.ts';
import type { Job } from '../records/job-record.ts';
import { createWordReader, measureText } from './text-tokens.ts';

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
