import { type Plugin, definePlugin } from '../../plugin.ts';
import { LOCKS, ROUTES, URL_DETAILS } from './routes.ts';

/** What the block editor of WordPress asks about the look of a site: one theme, and lists that are empty; and who edits a record. */
export const editor: Plugin = definePlugin(
  {
    name: 'editor',
    summary: 'What the block editor of WordPress asks about the look of the site, and who edits a record',
    namespaces: [LOCKS],
    extends: [{ namespace: 'cms/v2', routes: ROUTES }, URL_DETAILS],
  },
  async ({ site }) => (await import('./index.ts')).createEditor(site),
);
