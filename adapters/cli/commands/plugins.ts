import type { PluginDescriptor } from '../../../registry/plugin.ts';
import { defineCommand } from '../frame/command.ts';
import { print, printJson, toTable } from '../frame/output.ts';
import { DESCRIBED_OPTIONS } from '../site/memory-site.ts';
import { readSite } from '../site/read-site.ts';

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
const toReads = (reads: readonly string[] | undefined): string =>
  reads === undefined ? 'not cached' : reads.length === 0 ? '' : `reads ${reads.join(', ')}`;

/** A row for each thing that a plugin declares: the list, the thing, and what it reads or runs. */
function listRows(
  plugin: PluginDescriptor,
): readonly (readonly [list: string, what: string, does: string])[] {
  const { fields = [], shortcodes = [], blocks = [], reactions = [], tasks = [] } = plugin;
  const { namespaces = [], extends: extensions = [], documents = [], rewrites = [] } = plugin;
  return [
    ...namespaces.map(
      ({ namespace, routes }) => ['namespaces', namespace, count(routes.length, 'route')] as const,
    ),
    ...extensions.map(
      ({ namespace, routes }) => ['extends', namespace, count(routes.length, 'route')] as const,
    ),
    ...(plugin.collections ?? []).map(
      ({ name, fields: columns }) => ['collections', name, Object.keys(columns).join(', ')] as const,
    ),
    ...Object.entries(plugin.settings ?? {}).map(
      ([name, { type, default: value }]) =>
        [
          'settings',
          name,
          `${[type].flat().join(' or ')}${value === undefined ? '' : `, default ${JSON.stringify(value)}`}`,
        ] as const,
    ),
    ...fields.map(
      ({ name, of, asked, write, reads }) =>
        [
          'fields',
          `${name} of ${of.join(', ')}`,
          [
            toReads(reads),
            asked === true ? 'where _fields names it' : '',
            write === undefined ? '' : 'written',
          ]
            .filter((each) => each !== '')
            .join('; '),
        ] as const,
    ),
    ...reactions.map(({ to, run }) => ['reactions', `to ${to.join(', ')}`, `runs ${run}`] as const),
    ...tasks.map(({ every, run }) => ['tasks', `every ${every}`, `runs ${run}`] as const),
    ...shortcodes.map(({ name, reads }) => ['shortcodes', `[${name}]`, toReads(reads)] as const),
    ...blocks.map(({ name, reads }) => ['blocks', name, toReads(reads)] as const),
    ...documents.map(({ path, write }) => ['documents', path, `written by ${write}`] as const),
    ...rewrites.map(({ run }) => ['rewrites', 'addresses that nothing has', `runs ${run}`] as const),
  ];
}

export const plugins = defineCommand({
  name: 'plugins',
  summary: 'Print the plugins of a site: what each declares, reads and runs',
  operands: {},
  options: { ...DESCRIBED_OPTIONS, json: { help: 'Print JSON.' } },
  examples: [['routebook plugins --plugins ./reading.mjs', 'the default plugins, and one of your own']],
  async run({ values, namespaces, ownPlugins }) {
    const site = await readSite({ ...values, namespaces, ownPlugins });
    const descriptors = site.plugins.map(({ descriptor }) => descriptor);
    if (values.json) printJson(descriptors);
    else
      print(
        descriptors
          .map((plugin) =>
            [
              `${plugin.name}${plugin.summary === undefined ? '' : `: ${plugin.summary}`}`,
              toTable(listRows(plugin).map(([list, what, does]) => ['', list, what, does])),
            ].join('\n'),
          )
          .join('\n'),
      );
  },
});
