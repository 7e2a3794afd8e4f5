import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SHORTCODE_ERRORS } from '../../../../registry/core/content/shortcodes/shortcode-parser.ts';
import { PHOTOFEED_ERRORS } from '../../../../registry/plugins/builder/site-photos.ts';
import { PKG_ERRORS } from '../../../../registry/plugins/pkg/index.ts';
import { RULES } from '../../../../registry/plugins/secscan/rules/rules.ts';
import { SETTINGS } from '../../../../registry/plugins/secscan/settings/settings.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');
const missing = (words: Iterable<string>, text: string): readonly string[] =>
  [...words].filter((word) => !text.includes(`\`${word}\``));

const docs = suite('docs of secscan, builder and pkg');

docs('name every rule and setting, and the codes of builder and pkg', () => {
  // `rules.TYPE` stands once, each type in the table of rules.
  const settings = Object.keys(SETTINGS).map((name) => name.replace(/^rules\./, ''));
  assert.equal(missing([...RULES.keys(), ...settings], read('secscan.md')), []);
  assert.equal(
    missing(
      [...Object.keys(SHORTCODE_ERRORS), ...Object.keys(PHOTOFEED_ERRORS), ...Object.keys(PKG_ERRORS)],
      read('builder.md'),
    ),
    [],
  );
});

docs('give the severity of every rule', () => {
  const rows = read('secscan.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const { id, type, severity } of RULES.values()) {
    const row = rows.find((line) => line.includes(`\`${id}\``)) ?? '';
    assert.ok(row.startsWith(`| \`${type}\` |`), id);
    if (type !== 'optionBadURL')
      assert.ok(row.split('|')[2]?.includes(String(severity)), `${id}: ${severity}`);
  }
});

docs.run();
