import { createRequest, diffRoutes, effectOf, idempotenceOf, type RouteChange } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { toSiteUrl, toWord, UsageError } from '../frame/options.ts';
import { note, print, printJson, toTable } from '../frame/output.ts';
import { checkFile, FILE_KINDS, toDescriptors } from '../site/check-file.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';
import { inFile, readJson } from '../site/read-json.ts';
import { readSite } from '../site/read-site.ts';
import { checkLanguage } from '../site/site-options.ts';

export const routes = defineCommand({
  operands: {},
  options: {
    ...DESCRIBED_OPTIONS,
    namespace: { value: 'NAMESPACE', help: 'Only the routes of this namespace, such as cms/v2.' },
    json: {
      help: 'Print a JSON list of {methods, permission, effect, idempotent, untrusted, namespace, pattern}.',
    },
  },
  examples: [['routebook routes --content core --names wordpress', 'what WordPress clients can call']],
  async run({ values, added }) {
    await withEmptySite({ ...values, ...added }, async ({ engine }) => {
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

export const openapi = defineCommand({
  operands: {},
  options: {
    ...DESCRIBED_OPTIONS,
    namespace: { value: 'NAMESPACE', help: 'Only the routes of this namespace, such as cms/v2.' },
    language: {
      value: 'LANGUAGE',
      help: 'Language of the descriptions. Default: the first language of the site.',
    },
    'site-url': { value: 'URL', default: 'http://127.0.0.1:8787', help: 'Address of the site.' },
  },
  examples: [
    ['routebook openapi --content core --namespace cms/v2 > openapi.json', 'the interface of the content'],
  ],
  async run({ values: { namespace, language, 'site-url': address, ...source }, added }) {
    const siteUrl = toSiteUrl('site-url', address);
    await withEmptySite({ ...source, ...added }, async ({ engine }) => {
      const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`;
      checkLanguage(language, engine.prefixes);
      const { status, body } = await engine.serve(
        createRequest(`/openapi.json${query}`, { siteUrl, language }),
      );
      if (status !== 200)
        throw new UsageError(
          `--namespace "${String(namespace)}": must be one of ${[...new Set(engine.routes.map((route) => route.namespace))].filter((name) => name !== '').join(', ')}`,
        );
      const { servers, ...document } = JSON.parse(String(body)) as {
        readonly servers: readonly { readonly url: string }[];
      };
      printJson({ ...document, servers: servers.map(({ url }) => ({ url: `${siteUrl}${url}` })) });
    });
  },
});

const { names: _names, ...OPTIONS } = DESCRIBED_OPTIONS;

export const validate = defineCommand({
  operands: { file: { help: 'JSON file.' } },
  options: {
    ...OPTIONS,
    as: { value: 'KIND', help: `${FILE_KINDS.join(', ')}. Default: told from the members of the file.` },
    json: { help: 'Print {file, kind, valid, message}.' },
  },
  examples: [
    ['routebook validate site.json --config config.json', 'a fixture with the types of a configuration'],
  ],
  exitCodes: { 1: 'the file has a mistake' },
  async run({ operands: { file }, values, added }) {
    const site = await readSite({ ...values, ...added });
    const given = values.as === undefined ? undefined : toWord('--as', values.as, FILE_KINDS);
    try {
      const kind = await checkFile(file, given, site);
      if (values.json) printJson({ file, kind, valid: true });
      else print(`${file} is a valid ${kind} file.`);
      return 0;
    } catch (error) {
      if (!values.json || !(error instanceof Error)) throw error;
      printJson({ file, valid: false, message: error.message });
      return 1;
    }
  },
});

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** `breaks  changed  GET /shop/v1/items: args.page.maximum: 100 -> 50` */
function toLine(kind: string, { pattern, method, at, before, after, breaks }: RouteChange): string {
  const change = kind === 'changed' ? `: ${at}: ${show(before)} -> ${show(after)}` : '';
  return `${breaks ? 'breaks' : 'fits  '}  ${kind.padEnd(7)}  ${method} ${pattern}${change}`;
}

export const diff = defineCommand({
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
