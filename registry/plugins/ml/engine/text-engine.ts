import type { GlossaryTerm } from '../glossary/find-terms.ts';
import type { JobField } from '../records/job-fields.ts';
import type { JobMatch, JobTarget } from '../records/job-record.ts';

/** The texts of one job that need a first translation. */
export interface TextRequest {
  /** Id of the original. */
  readonly post: number;
  /** Language of the texts. */
  readonly source: string;
  /** Language to translate into. */
  readonly target: string;
  /** The texts. */
  readonly fields: readonly JobField[];
  /** Whether a name in brackets is a shortcode even without a closing tag. */
  readonly isShortcode: (name: string) => boolean;
  /** The glossary of these languages. Absent: there is none. */
  readonly terms?: readonly GlossaryTerm[];
  /** Receives similar texts of the memory, by field id. Absent if nobody needs them. */
  readonly suggest?: (field: string, match: JobMatch) => void;
  /** Receives what the log of the job will say. */
  readonly report?: (problem: TextProblem) => void;
  /** Aborted when there is no more time. */
  readonly signal?: AbortSignal;
}

/** Why an engine left out texts of a job, or what they lost. `failed`: the engine is not asked again for the other jobs of the request. */
export interface TextProblem {
  /** Id of the engine. */
  readonly engine: string;
  /** Code of the reason. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  readonly failed?: true;
}

/** Prefills translations before a translator works on a job: the translation memory, or an engine of the host. */
export interface TextEngine {
  /** Identifies the engine in jobs and settings. */
  readonly id: string;
  /** Name that users see. */
  readonly label: string;
  /** Supported languages; empty for all. */
  readonly languages: readonly string[];
  /** Returns translations by field id. Fields that the engine cannot translate are left out. */
  translate(request: TextRequest): Promise<ReadonlyMap<string, JobTarget>>;
}

/** The id of the engine that is the translation memory. */
export const MEMORY = 'memory';
