import type { Handlers } from '../../../../lib/index.ts';
import type { Ports } from '../../../plugin.ts';
import type { SeoConfig } from '../values/config.ts';
import type { seoDescriptor } from './routes.ts';

/** All handlers of the namespace by id. */
type SeoHandlers = Handlers<typeof seoDescriptor>;

/** The handlers of one concern. */
export type HandlerGroup<K extends keyof SeoHandlers> = Pick<SeoHandlers, K>;

/** Dependencies of each concern. */
export interface SeoDeps {
  readonly ports: Ports;
  readonly config: SeoConfig;
}
