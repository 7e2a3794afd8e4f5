import type { JobField } from '../jobs/job-fields.ts';
import type { JobMatch, JobTarget } from '../jobs/job-record.ts';

/** The texts of one job that need a first translation. */
export interface TextRequest {
  readonly post: number;
  readonly source: string;
  readonly target: string;
  readonly fields: readonly JobField[];
  /** Whether a name in brackets is a shortcode even without a closing tag. */
  readonly isShortcode: (name: string) => boolean;
  /** Receives similar texts of the memory, by field id. Absent if nobody needs them. */
  readonly suggest?: (field: string, match: JobMatch) => void;
  /** Receives what the log of the job will say. */
  readonly report?: (problem: TextProblem) => void;
  /** Aborted when there is no more time. */
  readonly signal?: AbortSignal;
}

/** Why an engine left out texts of a job, or what they lost. `failed`: the engine is not asked again for the other jobs of the request. */
export interface TextProblem {
  readonly engine: string;
  readonly code: string;
  readonly message: string;
  readonly failed?: true;
}

/** Prefills translations before a translator works on a job: the translation memory, or an engine of the host. */
export interface TextEngine {
  readonly id: string;
  readonly label: string;
  /** Supported languages; empty for all. */
  readonly languages: readonly string[];
  /** Returns translations by field id. Fields that the engine cannot translate are left out. */
  translate(request: TextRequest): Promise<ReadonlyMap<string, JobTarget>>;
}

/** The id of the engine that is the translation memory. */
export const MEMORY = 'memory';
