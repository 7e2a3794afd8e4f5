import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook } from '../../support/routebook.ts';

const routes = suite('routebook routes');

routes('prints every route with its permission', async () => {
  const { code, stdout, stderr } = await routebook(['routes']);
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, /^GET +read +cms.posts.list +\/cms\/v2\/posts$/m);
  assert.not.match(stdout, '/cms/v2/pages');
});

routes('prints a list with --json, and follows names, content and namespace', async () => {
  const { code, stdout } = await routebook([
    'routes',
    '--json',
    '--names',
    'wordpress',
    '--namespace',
    'wp/v2',
  ]);
  const rows = JSON.parse(stdout) as readonly {
    readonly pattern: string;
    readonly namespace: string;
    readonly methods: readonly string[];
  }[];
  assert.is(code, 0);
  assert.ok(rows.some(({ pattern, methods }) => pattern === '/wp/v2/pages' && methods.includes('GET')));
  assert.equal([...new Set(rows.map(({ namespace }) => namespace))], ['wp/v2']);
});

routes.run();

const openapi = suite('routebook openapi');

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, unknown>>;
}

openapi('prints the document of one namespace with the address of the site', async () => {
  const { code, stdout } = await routebook([
    'openapi',
    '--namespace',
    'seo/v1',
    '--language',
    'fr',
    '--site-url',
    'https://site.example',
  ]);
  const document = JSON.parse(stdout) as Document;
  assert.is(code, 0);
  assert.ok(document.openapi.startsWith('3.1'));
  assert.equal(document.servers, [{ url: 'https://site.example/fr/cms-json' }]);
  assert.ok(Object.keys(document.paths).every((path) => path.startsWith('/seo/v1')));
});

openapi('names the namespaces and the languages that there are', async () => {
  const [namespace, language] = await Promise.all([
    routebook(['openapi', '--namespace', 'none']),
    routebook(['openapi', '--language', 'xx']),
  ]);
  assert.equal([namespace.code, namespace.stdout, language.code], [2, '', 2]);
  assert.match(namespace.stderr, /^--namespace "none": must be one of .*cms\/v2/);
  assert.match(
    language.stderr,
    /^--language "xx": must be one of en, fr\. Commands have the languages of --languages, or of the --config of the server\n$/,
  );
});

openapi.run();
