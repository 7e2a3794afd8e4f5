import type { Ports } from '../ports.ts';
import type { PostContext } from './context.ts';
import type { PasswordGuard } from './post-password.ts';
import type { PublishDue } from './schedule.ts';

/** What every part of the namespace gets. */
export interface CmsContext extends PostContext {
  readonly publishDue: PublishDue;
  readonly passwords: PasswordGuard;
  readonly ports: Ports;
}
