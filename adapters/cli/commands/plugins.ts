import type { PluginDescriptor } from '../../../registry/plugin.ts';
import { defineCommand } from '../frame/command.ts';
import { JSON_SWITCH, print, printJson, toIndented } from '../frame/output.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
/** What runs for a part, and the collections that it reads. */
const toRun = (run: string, reads: readonly string[] | undefined): string =>
  `runs ${run}${reads === undefined ? '; not cached' : reads.length === 0 ? '' : `; reads ${reads.join(', ')}`}`;

type Row = readonly [list: string, what: string, does: string];

const toContentRows = ({
  types = [],
  taxonomies = [],
  meta = [],
}: NonNullable<PluginDescriptor['content']>) => [
  ...types.map(({ name }): Row => ['types', name, '']),
  ...taxonomies.map(({ name }): Row => ['taxonomies', name, '']),
  ...meta.map(({ of, key, type }): Row => ['meta', `${key} of ${of}`, type]),
];

/** A row for each thing that a plugin declares: the list, the thing, and what it reads or runs. */
function listRows(plugin: PluginDescriptor): readonly Row[] {
  const { fields = [], shortcodes = [], blocks = [], reactions = [], tasks = [] } = plugin;
  const { namespaces = [], extends: extensions = [], documents = [], rewrites = [] } = plugin;
  return [
    ...namespaces.map(({ namespace, routes }): Row => [
      'namespaces',
      namespace,
      count(routes.length, 'route'),
    ]),
    ...extensions.map(({ namespace, routes }): Row => ['extends', namespace, count(routes.length, 'route')]),
    ...toContentRows(plugin.content ?? {}),
    ...(plugin.collections ?? []).map(({ name, fields: columns }): Row => [
      'collections',
      name,
      Object.keys(columns).join(', '),
    ]),
    ...Object.entries(plugin.settings ?? {}).map(([name, { type, default: value }]): Row => [
      'settings',
      name,
      `${[type].flat().join(' or ')}${value === undefined ? '' : `, default ${JSON.stringify(value)}`}`,
    ]),
    ...(plugin.exposes ?? []).map((name): Row => ['exposes', name, '']),
    ...fields.map(({ name, of, asked, value, write, reads }): Row => [
      'fields',
      `${name} of ${of.join(', ')}`,
      `${toRun(value, reads)}${asked === true ? '; where _fields names it' : ''}${write === undefined ? '' : `; written by ${write}`}`,
    ]),
    ...reactions.map(({ to, run }): Row => ['reactions', `to ${to.join(', ')}`, `runs ${run}`]),
    ...tasks.map(({ every, run }): Row => ['tasks', `every ${every}`, `runs ${run}`]),
    ...shortcodes.map(({ name, render, reads }): Row => ['shortcodes', `[${name}]`, toRun(render, reads)]),
    ...blocks.map(({ name, render, reads }): Row => ['blocks', name, toRun(render, reads)]),
    ...documents.map(({ path, write }): Row => ['documents', path, `written by ${write}`]),
    ...rewrites.map(({ run }): Row => ['rewrites', 'addresses that nothing has', `runs ${run}`]),
  ];
}

export const plugins = defineCommand({
  operands: {},
  options: { ...DESCRIBED_OPTIONS, json: JSON_SWITCH },
  examples: [['routebook plugins --plugins ./reading.mjs', 'the default plugins, and one of your own']],
  async run({ values, added }) {
    // A site that refuses them cannot be served.
    const descriptors = await withEmptySite({ ...values, ...added }, async (_site, plugins) =>
      plugins.map(({ descriptor }) => descriptor),
    );
    if (values.json) printJson(descriptors);
    else
      print(
        descriptors
          .map((plugin) =>
            [
              `${plugin.name}${plugin.summary === undefined ? '' : `: ${plugin.summary}`}`,
              toIndented(listRows(plugin)),
            ].join('\n'),
          )
          .join('\n'),
      );
  },
});
