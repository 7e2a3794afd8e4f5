import { own } from '../../../lib/core/objects.ts';
import type { Ask } from './as-operator.ts';

/** Path of the settings in the interface. */
const SETTINGS = '/cms/v2/settings';

/** The settings as the interface shows them. */
export type ShownSettings = Readonly<Record<string, unknown>>;

/** Settings that the interface shows only when they are chosen. */
const UNCHOSEN: ShownSettings = { preview_url: '' };

export const LANGUAGE = {
  value: 'LANGUAGE',
  help: 'For settings with a value for each language. Default: the first language of the site.',
} as const;

/** Reads the settings, or changes some of them and reads all. The address is not one of them: it is an option of `serve`. */
export async function askSettings(
  ask: Ask,
  language: string | undefined,
  changes?: ShownSettings,
): Promise<ShownSettings> {
  const method = changes === undefined ? 'GET' : 'POST';
  const shown = (await ask(SETTINGS, { method, language, body: changes })) as ShownSettings;
  const listed = Object.entries(shown).filter(([name]) => name !== 'url');
  return { ...Object.fromEntries(listed), ...(own(shown, 'preview_url') === undefined ? UNCHOSEN : {}) };
}
