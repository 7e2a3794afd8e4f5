import { defineCommand } from '../../frame/command.ts';
import { print, printJson, toTable } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { askSettings, LANGUAGE, readSetting } from '../../site/settings.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const settingGet = defineCommand({
  name: 'setting get',
  summary: 'Show one setting of a site, or all of them',
  operands: { name: { help: 'Name of the setting, such as title. Default: all.', optional: true } },
  options: { ...SITE_OPTIONS, language: LANGUAGE, json: { help: 'Print JSON.' } },
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
