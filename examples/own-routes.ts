// A whole site with routes of its own beside those of the registry, and all options of `routebook serve`:
// `npm run build && node dist/examples/own-routes.js [options]`. `--help` explains the options.
//
//   curl -i http://127.0.0.1:8787/en/cms-json/tides/v1/today/dover      # 200
//   curl -i http://127.0.0.1:8787/en/cms-json/tides/v1/today/DOVER      # 404
//   curl -i http://127.0.0.1:8787/en/cms-json/tides/v1/today/oslo       # 404
//   curl -i http://127.0.0.1:8787/en/cms-json/cms/v2/posts              # 200
import { runRoutebook } from '../adapters/cli.ts';
import { createErrors, defineNamespace, type NamespaceDescriptor } from '../lib/index.ts';

const HIGH_WATER: ReadonlyMap<string, string> = new Map([
  ['dover', '11:42'],
  ['calais', '12:05'],
]);

const descriptor = {
  namespace: 'tides/v1',
  routes: [
    {
      pattern: '/tides/v1/today/(?P<port>[a-z]+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'tides.read',
          permission: 'public',
          args: { port: { type: 'string', description: 'Name of the port.' } },
          summary: 'High water of a port',
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const tidesError = createErrors({ tides_no_port: [404, 'There are no tides of this port.'] });

const tides = defineNamespace(descriptor, {
  'tides.read': ({ port }) => {
    const highWater = HIGH_WATER.get(port);
    if (highWater === undefined) throw tidesError('tides_no_port');
    return { port, highWater };
  },
});

process.exitCode = await runRoutebook(['serve', ...process.argv.slice(2)], { namespaces: [tides] });
