import { type Schema, type OpenApiDocument, declareTypes } from '../../../lib/describe/declare-types.ts';
import type { Engine } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { toIndexUrl } from '../frame/options.ts';
import { print } from '../frame/output.ts';
import { openDescriptors } from '../site/check-file.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';
import { inFile, readJson } from '../site/read-json.ts';

/** What is read of the index of a site. */
interface Index {
  readonly routes: Readonly<
    Record<
      string,
      {
        readonly endpoints: readonly {
          readonly methods: readonly string[];
          readonly args: Readonly<Record<string, Schema & { readonly required?: boolean }>>;
        }[];
      }
    >
  >;
}

type Operations = NonNullable<OpenApiDocument['paths']>[string];

const GROUP = /\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The document that an index allows: parameters, and responses of which nothing is known. */
function toDocument({ routes }: Index): OpenApiDocument {
  const paths = Object.entries(routes).map(([pattern, { endpoints }]): readonly [string, Operations] => {
    const groups = [...pattern.matchAll(GROUP)].map(([, name = '']) => name);
    const operations = endpoints.flatMap(({ methods, args }) => {
      const path = groups.map((name) => ({
        name,
        in: 'path',
        required: true,
        // The index has a boolean where a schema has a list of names.
        schema: toSchema(new Map(Object.entries(args)).get(name) ?? { type: 'string' }),
      }));
      const others = Object.entries(args).filter(([name]) => !groups.includes(name));
      const needed = others.filter(([, arg]) => arg.required === true).map(([name]) => name);
      const properties = Object.fromEntries(others.map(([name, arg]) => [name, toSchema(arg)]));
      return methods.map(
        (method) =>
          [
            method.toLowerCase(),
            {
              parameters: WITH_BODY.has(method)
                ? path
                : [
                    ...path,
                    ...others.map(([name, arg]) => ({
                      name,
                      in: 'query',
                      required: arg.required === true,
                      schema: toSchema(arg),
                    })),
                  ],
              ...(WITH_BODY.has(method)
                ? {
                    requestBody: {
                      required: needed.length > 0,
                      content: {
                        'application/json': { schema: { type: 'object', properties, required: needed } },
                      },
                    },
                  }
                : {}),
              responses: { '2XX': { content: { 'application/json': {} } } },
            },
          ] as const,
      );
    });
    return [pattern.replaceAll(GROUP, '{$1}'), Object.fromEntries(operations)];
  });
  return { paths: Object.fromEntries(paths) };
}

function toSchema({ required: _required, ...schema }: Schema & { readonly required?: unknown }): Schema {
  return schema;
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Accept: 'application/json' } }).catch(
    (error: unknown) => {
      throw new Error(`${address} cannot be reached`, { cause: error });
    },
  );
  return response.ok ? ((await response.json()) as unknown) : null;
}

/** The OpenAPI document of a running site; without one, what its index says. `address`: that of the index. @throws Error if there is neither */
async function readRunning(address: string): Promise<OpenApiDocument> {
  const document = await fetchJson(`${address}/openapi.json`);
  if (document !== null) return document as OpenApiDocument;
  const index = await fetchJson(`${address}/`);
  if (typeof index !== 'object' || index === null || !('routes' in index))
    throw new Error(
      `${address} has neither /openapi.json nor an index. Give the address of the index, such as http://127.0.0.1:8787/en/cms-json`,
    );
  return toDocument(index as Index);
}

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

export const types = defineCommand({
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
  async run({ values, operands: { file }, added }) {
    if (values.client !== undefined)
      print(declareTypes(await readRunning(toIndexUrl('--client', values.client))));
    else if (file === undefined)
      await withEmptySite({ ...values, ...added }, async ({ engine }) => {
        print(declare(engine));
      });
    else {
      const document = await readJson(file);
      print(declare(inFile(file, () => openDescriptors(document))));
    }
  },
});
