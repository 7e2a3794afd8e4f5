import { suggest } from '../../../lib/core/did-you-mean.ts';
import { escapeQuotesOnce } from '../../../lib/core/escape.ts';
import { own } from '../../../lib/core/objects.ts';
import { defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/options.ts';
import { JSON_SWITCH, print, printJson, toTable } from '../frame/output.ts';
import { asOperator } from '../site/as-operator.ts';
import { askSettings, LANGUAGE, type ShownSettings } from '../site/settings.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';

/** The value of a setting. @throws UsageError that names the nearest setting */
function readSetting(settings: ShownSettings, name: string): unknown {
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
const hintFor = (name: string, value: string): string => HINTS.get(name)?.(value) ?? '';

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const settingGet = defineCommand({
  operands: { name: { help: 'Name of the setting, such as title. Default: all.', optional: true } },
  options: { ...SITE_OPTIONS, language: LANGUAGE, json: JSON_SWITCH },
  async run({ operands: { name }, values }) {
    const settings = await asOperator(values, (ask) => askSettings(ask, values.language));
    const shown = name === undefined ? settings : readSetting(settings, name);
    if (values.json) printJson(shown);
    else
      print(
        name === undefined
          ? toTable(Object.entries(settings).map(([each, value]) => [each, toText(value)]))
          : toText(shown),
      );
  },
});

export const settingSet = defineCommand({
  description: [
    'A site that is served uses the new value for the next request (with a file store: docs/stores.md, Commands beside a server).',
  ],
  operands: {
    name: { help: 'Name of the setting: "routebook setting get" lists them.' },
    value: { help: 'New value.' },
  },
  options: { ...SITE_OPTIONS, language: LANGUAGE },
  examples: [['routebook setting set timezone Europe/Paris', 'dates of the site are those of Paris']],
  async run({ operands: { name, value }, values: { language, ...values } }) {
    await asOperator(values, async (ask) => {
      const before = readSetting(await askSettings(ask, language), name);
      const after = readSetting(await askSettings(ask, language, { [name]: value }), name);
      // The interface ignores some values that it cannot use, as WordPress does. It stores titles as HTML.
      const isIgnored =
        JSON.stringify(after) === JSON.stringify(before) &&
        String(after) !== value.trim() &&
        String(after) !== escapeQuotesOnce(value.trim());
      if (isIgnored)
        throw new Error(
          `${name} cannot be "${value}". It is still ${JSON.stringify(after)}.${hintFor(name, value)}`,
        );
    });
  },
});
