import { own } from '../../../lib/core/objects.ts';
import type { Ask } from './as-operator.ts';
import { UsageError } from '../options.ts';
import { suggest } from '../../../lib/core/nearest.ts';

/** Path of the settings in the interface. */
const SETTINGS = '/cms/v2/settings';

/** The settings as the interface shows them. */
export type ShownSettings = Readonly<Record<string, unknown>>;

export const LANGUAGE = { value: 'LANGUAGE', help: 'Language whose value is meant, for settings with one for each language. Default: the first language of the site.' } as const;

/** Reads the settings, or changes some of them and reads all. The address is not one of them: it is an option of `serve`. */
export async function askSettings(ask: Ask, language: string | undefined, changes?: ShownSettings): Promise<ShownSettings> {
  const shown = await ask(SETTINGS, { language, ...(changes === undefined ? {} : { method: 'POST', body: changes }) }) as ShownSettings;
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'url'));
}

/** The value of a setting. @throws UsageError that names the nearest setting */
export function readSetting(settings: ShownSettings, name: string): unknown {
  const value = own(settings, name);
  if (value !== undefined) return value;
  const names = Object.keys(settings);
  throw new UsageError(`"${name}" is not a setting.${suggest(name, names)} The settings are ${names.join(', ')}.`);
}
