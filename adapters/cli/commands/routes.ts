import { effectOf, idempotenceOf } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { print, printJson, toTable } from '../frame/output.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';

export const routes = defineCommand({
  name: 'routes',
  summary: 'Print every route with its methods, its effect and its permission',
  operands: {},
  options: {
    ...DESCRIBED_OPTIONS,
    namespace: { value: 'NAMESPACE', help: 'Only the routes of this namespace, such as cms/v2.' },
    json: {
      help: 'Print a JSON list of {methods, permission, effect, idempotent, untrusted, namespace, pattern}.',
    },
  },
  examples: [['routebook routes --content core --names wordpress', 'what WordPress clients can call']],
  async run({ values, namespaces, ownPlugins }) {
    await withEmptySite({ ...values, namespaces, ownPlugins }, async ({ engine }) => {
      const rows = engine.routes
        .filter(({ namespace }) => values.namespace === undefined || namespace === values.namespace)
        .flatMap(({ namespace, pattern, descriptor }) =>
          descriptor.endpoints.map((endpoint) => ({
            methods: endpoint.methods,
            permission: endpoint.permission,
            effect: effectOf(endpoint),
            idempotent: idempotenceOf(endpoint),
            untrusted: endpoint.untrusted ?? [],
            namespace,
            pattern,
          })),
        );
      if (values.json) printJson(rows);
      else
        print(
          toTable(
            rows.map(({ methods, permission, effect, pattern }) => [
              methods.join(' '),
              effect,
              permission,
              pattern,
            ]),
          ),
        );
    });
  },
});
