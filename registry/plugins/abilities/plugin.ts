import { type Plugin, definePlugin } from '../../plugin.ts';
import { ABILITIES } from './routes.ts';

/** Every endpoint as an ability, as WordPress 7.1 serves them. A site must name it. */
export const abilities: Plugin = definePlugin(ABILITIES, async ({ site }) =>
  (await import('./index.ts')).createAbilities(site),
);
