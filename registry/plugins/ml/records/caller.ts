import { type Identity, type Predicate, type Store, and, can, eq, or } from '../../../../lib/index.ts';
import { userOf } from '../../../plugin.ts';
import type { JobRow } from './job-record.ts';

/** The caller's rights on jobs. `pairs`: language pairs such as `en:fr`. */
export interface JobCaller {
  readonly id: number;
  readonly manages: boolean;
  readonly pairs: readonly string[];
}

const manages = (identity: Identity): boolean =>
  can(identity, 'manage_translations') || can(identity, 'manage_options');

/** Reads the rights of the caller, including the language pairs. */
export async function readCaller(store: Store, identity: Identity): Promise<JobCaller> {
  const user = manages(identity) ? null : await store.get('users', userOf(identity));
  const pairs = user?.['language_pairs'];
  return {
    id: userOf(identity),
    manages: manages(identity),
    pairs: Array.isArray(pairs) ? pairs.map(String) : [],
  };
}

const matchPairs = (pairs: readonly string[]): Predicate =>
  or(
    ...pairs.map((pair) => {
      const [source = '', target = ''] = pair.split(':');
      return and(eq('source', source), eq('target', target));
    }),
  );

/** The jobs that the caller can see: all of them, or their own jobs and those of their own language pairs. Every query of jobs contains it. */
export function visibleTo(caller: JobCaller): Predicate {
  return caller.manages ? and() : or(eq('translator', caller.id), matchPairs(caller.pairs));
}

/** The jobs that the caller works on: their own jobs and the unassigned ones of their own language pairs. */
export function queueOf(caller: JobCaller): Predicate {
  return or(eq('translator', caller.id), and(eq('translator', 0), matchPairs(caller.pairs)));
}

/** Whether the caller may read, deliver and apply the translation of this job. */
export function mayWorkOn(caller: JobCaller, job: Pick<JobRow, 'translator' | 'source' | 'target'>): boolean {
  if (caller.manages || (job.translator === caller.id && caller.id !== 0)) return true;
  return job.translator === 0 && caller.pairs.includes(`${job.source}:${job.target}`);
}

/** Whether the caller can see the job in a list. */
export function maySee(caller: JobCaller, job: Pick<JobRow, 'translator' | 'source' | 'target'>): boolean {
  return mayWorkOn(caller, job) || caller.pairs.includes(`${job.source}:${job.target}`);
}
