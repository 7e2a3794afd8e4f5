import type { Operation } from '../../../lib/store/store.ts';
import type { Ports } from '../host/ports.ts';
import type { Previews } from '../previews/previews.ts';
import type { PublishDue } from '../records/schedule.ts';
import type { PostDeps } from './post-deps.ts';
import type { PasswordGuard } from './post-password.ts';

/** What every part of the namespace gets. */
export interface CmsDeps extends PostDeps {
  readonly publishDue: PublishDue;
  readonly passwords: PasswordGuard;
  readonly previews: Previews;
  readonly ports: Ports;
  /** Taxonomies without pages that everybody may read. */
  readonly exposed: ReadonlySet<string>;
  /** What is removed with a term, by its id. */
  readonly termBelongings: readonly ((term: number) => Operation)[];
}
