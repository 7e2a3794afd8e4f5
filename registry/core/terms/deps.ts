import type { Taxonomy } from '../model/taxonomy.ts';
import type { FindReadable } from '../post-views/find-readable.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { PublishDue } from '../records/schedule.ts';
import type { CountTerms } from './counts.ts';

/** What the functions of one taxonomy share. */
export interface TermDeps extends PostBase {
  readonly taxonomy: Taxonomy;
  /** Path segments of the types of the taxonomy. */
  readonly typeBases: readonly string[];
  readonly publishDue: PublishDue;
  readonly nextDue: () => number;
  readonly count: CountTerms;
  readonly findPost: FindReadable;
  readonly meta: RecordMeta;
  /** Ids of the terms that nobody may delete, such as the default category. */
  readonly fixed: () => Promise<ReadonlySet<number>>;
  /** The terms of a record of this language that loses its last one. */
  readonly termsWithout: (language: string) => Promise<readonly number[]>;
}
