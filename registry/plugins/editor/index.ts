import { createErrors } from '../../../lib/index.ts';
import type { PluginSite } from '../../plugin.ts';
import { createLocks } from './locks.ts';
import { THEME, THEME_ERRORS } from './theme.ts';
import { createUrlDetails } from './url-details.ts';

const themeError = createErrors(THEME_ERRORS);

/** Validated by the routes. */
type Args = Readonly<Record<string, unknown>>;

/** The functions of the plugin. */
export function createEditor({ ports }: PluginSite) {
  const ofTheme =
    <T>(value: T) =>
    ({ stylesheet: name }: Args): T => {
      if (name !== THEME.stylesheet) throw themeError('rest_theme_not_found');
      return value;
    };
  return {
    'editor.themes': ({ status }: Args) =>
      !Array.isArray(status) || status.includes('active') ? [THEME] : [],
    'editor.theme': ofTheme(THEME),
    'editor.styles': ofTheme({ settings: {}, styles: {} }),
    'editor.variations': ofTheme([]),
    'editor.lookup': () => ({}),
    'editor.none': () => [],
    'editor.url': createUrlDetails(ports),
    ...createLocks(ports),
  };
}
