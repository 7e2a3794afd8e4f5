import { suggest } from '../../../lib/core/did-you-mean.ts';
import { own } from '../../../lib/core/objects.ts';
import { UsageError } from '../frame/options.ts';
import type { Ask } from './as-operator.ts';

/** Path of the settings in the interface. */
const SETTINGS = '/cms/v2/settings';

/** The settings as the interface shows them. */
type ShownSettings = Readonly<Record<string, unknown>>;

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
  const shown = (await ask(SETTINGS, {
    language,
    ...(changes === undefined ? {} : { method: 'POST', body: changes }),
  })) as ShownSettings;
  const listed = Object.entries(shown).filter(([name]) => name !== 'url');
  return { ...Object.fromEntries(listed), ...(own(shown, 'preview_url') === undefined ? UNCHOSEN : {}) };
}

/** The value of a setting. @throws UsageError that names the nearest setting */
export function readSetting(settings: ShownSettings, name: string): unknown {
  const value = own(settings, name);
  if (value !== undefined) return value;
  const names = Object.keys(settings);
  throw new UsageError(
    `"${name}" is not a setting.${suggest(name, names)} The settings are ${names.join(', ')}.`,
  );
}

/** What is right, for settings whose wrong values the interface ignores. */
const HINTS: ReadonlyMap<string, (value: string) => string> = new Map<string, (value: string) => string>([
  [
    'timezone',
    (value) =>
      `${suggest(value, Intl.supportedValuesOf('timeZone'))} It must be a name of the time zone database, such as Europe/Paris.`,
  ],
  ['language', () => ' It must be en_US.'],
  ['show_on_front', () => ' It must be posts or page.'],
  ['start_of_week', () => ' It must be a day from 0 (Sunday) to 6.'],
  ['default_category', () => ' It must be the id of a category.'],
]);

/** A sentence on the values that a setting can have, with the space before it; empty if there is none. */
export const hintFor = (name: string, value: string): string => HINTS.get(name)?.(value) ?? '';
