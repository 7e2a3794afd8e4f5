import { diffRoutes, type RouteChange } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { note, print, printJson } from '../frame/output.ts';
import { toDescriptors } from '../site/check-file.ts';
import { inFile, readJson } from '../site/read-json.ts';

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** `breaks  changed  GET /shop/v1/items: args.page.maximum: 100 -> 50` */
function toLine(kind: string, { pattern, method, at, before, after, breaks }: RouteChange): string {
  const change = kind === 'changed' ? `: ${at}: ${show(before)} -> ${show(after)}` : '';
  return `${breaks ? 'breaks' : 'fits  '}  ${kind.padEnd(7)}  ${method} ${pattern}${change}`;
}

export const diff = defineCommand({
  name: 'diff',
  summary: 'Compare two versions of routes, and tell what breaks clients',
  operands: {
    old: { help: 'JSON file with descriptors, as they were.' },
    new: { help: 'The same as they are now.' },
  },
  options: { json: { help: 'Print {added, removed, changed}.' } },
  examples: [['git show main:shop.json > old.json && routebook diff old.json shop.json', 'in a build']],
  exitCodes: { 1: 'a change breaks clients, or a file cannot be read' },
  async run({ operands, values }) {
    const [before, after] = await Promise.all(
      [operands.old, operands.new].map(async (file) => {
        const document = await readJson(file);
        return inFile(file, () => toDescriptors(document));
      }),
    );
    const { added, removed, changed } = diffRoutes(before ?? [], after ?? []);
    const lines = Object.entries({ added, removed, changed }).flatMap(([kind, changes]) =>
      changes.map((change) => toLine(kind, change)),
    );
    if (values.json) printJson({ added, removed, changed });
    else if (lines.length === 0) note('The routes are the same for clients.');
    else print(lines.join('\n'));
    return [...added, ...removed, ...changed].some(({ breaks }) => breaks) ? 1 : 0;
  },
});
