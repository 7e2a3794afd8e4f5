import { trimEnd } from '../../../lib/core/text.ts';
import type { Engine } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/options.ts';
import { print } from '../frame/output.ts';
import { openDescriptors } from '../site/check-file.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';
import { inFile, readJson } from '../site/read-json.ts';
import { declareTypes, type OpenApiDocument } from '../types/declare-types.ts';
import { readRunning } from '../types/read-running.ts';

/** The types of an engine's routes. Their comments are in the first language. */
function declare({
  prefixes: [language],
  describeOpenApi,
}: Pick<Engine, 'prefixes' | 'describeOpenApi'>): string {
  const place = { title: 'routes', version: '1', siteUrl: 'http://localhost' };
  return declareTypes(
    describeOpenApi(language === undefined ? place : { ...place, language }) as OpenApiDocument,
  );
}

/** @throws UsageError */
function toAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || /[?#]/.test(text))
    throw new UsageError(`--client "${text}": must be an address such as http://127.0.0.1:8787/en/cms-json`);
  return trimEnd(text, '/');
}

export const types = defineCommand({
  name: 'types',
  summary: 'Print TypeScript declarations of resources, requests and responses',
  description: [
    "Resources['post'] is a record, Routes['GET /cms/v2/posts'] a route with its path, query, body and answers by status.",
  ],
  operands: {
    file: { help: 'JSON file with descriptors. Default: the routes of the site.', optional: true },
  },
  options: {
    ...DESCRIBED_OPTIONS,
    client: {
      value: 'ADDRESS',
      help: 'Address of a running site, for createClient<Routes> of routebook/client. Nothing else is read.',
    },
  },
  examples: [
    ['routebook types --content core > site.d.ts', 'the content of a site'],
    ['routebook types shop.json > shop.d.ts', 'routes of a descriptor'],
    ['routebook types --client https://example.org/en/cms-json > site.d.ts', 'routes of a running site'],
  ],
  async run({ values, operands: { file }, namespaces, ownPlugins }) {
    if (values.client !== undefined) print(declareTypes(await readRunning(toAddress(values.client))));
    else if (file === undefined)
      await withEmptySite({ ...values, namespaces, ownPlugins }, async ({ engine }) => {
        print(declare(engine));
      });
    else {
      const document = await readJson(file);
      print(declare(inFile(file, () => openDescriptors(document))));
    }
  },
});
