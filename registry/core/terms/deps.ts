import type { Taxonomy } from '../model/taxonomy.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import type { FindReadable } from '../post-views/find-readable.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { CountTerms } from './counts.ts';

/** What the functions of one taxonomy share. */
export interface TermDeps extends CmsDeps {
  readonly taxonomy: Taxonomy;
  /** Path segments of the types of the taxonomy. */
  readonly typeBases: readonly string[];
  readonly count: CountTerms;
  readonly findPost: FindReadable;
  readonly meta: RecordMeta;
  /** Ids of the terms that nobody may delete, such as the default category. */
  readonly fixed: () => Promise<ReadonlySet<number>>;
  /** The terms of a record of this language that loses its last one. */
  readonly termsWithout: (language: string) => Promise<readonly number[]>;
}
