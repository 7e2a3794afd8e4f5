import type { Ports } from '../host/ports.ts';
import type { Previews } from '../previews/previews.ts';
import type { PublishDue } from '../records/schedule.ts';
import type { PostContext } from './post-deps.ts';
import type { PasswordGuard } from './post-password.ts';

/** What every part of the namespace gets. */
export interface CmsContext extends PostContext {
  readonly publishDue: PublishDue;
  readonly passwords: PasswordGuard;
  readonly previews: Previews;
  readonly ports: Ports;
}
