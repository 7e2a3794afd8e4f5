import { defineCommand } from '../frame/command.ts';
import { print, printJson, toTable } from '../frame/output.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';

export const routes = defineCommand({
  name: 'routes',
  summary: 'Print every route with its methods and its permission',
  operands: {},
  options: {
    ...DESCRIBED_OPTIONS,
    namespace: { value: 'NAMESPACE', help: 'Only the routes of this namespace, such as cms/v2.' },
    json: { help: 'Print a JSON list of {methods, permission, namespace, pattern}.' },
  },
  examples: [['routebook routes --content core --names wordpress', 'what WordPress clients can call']],
  async run({ values, namespaces, ownPlugins }) {
    await withEmptySite({ ...values, namespaces, ownPlugins }, async ({ engine }) => {
      const rows = engine.routes
        .filter(({ namespace }) => values.namespace === undefined || namespace === values.namespace)
        .flatMap(({ namespace, pattern, descriptor }) =>
          descriptor.endpoints.map(({ methods, permission }) => ({
            methods,
            permission,
            namespace,
            pattern,
          })),
        );
      if (values.json) printJson(rows);
      else
        print(
          toTable(rows.map(({ methods, permission, pattern }) => [methods.join(' '), permission, pattern])),
        );
    });
  },
});
