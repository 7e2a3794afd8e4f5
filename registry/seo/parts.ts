import type { Handlers } from '../../lib/route/args.ts';
import type { Ports } from '../ports.ts';
import type { SeoConfig } from './config.ts';
import type { seoDescriptor } from './routes.ts';

/** Every handler of the namespace by id. */
export type SeoHandlers = Handlers<typeof seoDescriptor>;

/** The handlers of one concern. */
export type HandlerGroup<K extends keyof SeoHandlers> = Pick<SeoHandlers, K>;

/** What each concern is made with. */
export interface SeoParts {
  readonly ports: Ports;
  readonly config: SeoConfig;
}
