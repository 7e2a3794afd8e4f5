import type { OpenApiDocument } from './declare-types.ts';
import type { Schema } from './to-type.ts';

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

async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Accept: 'application/json' } }).catch(
    (error: unknown) => {
      throw new Error(`${address} cannot be reached`, { cause: error });
    },
  );
  return response.ok ? ((await response.json()) as unknown) : null;
}

/** The OpenAPI document of a running site; without one, what its index says. `address`: that of the index. @throws Error if there is neither */
export async function readRunning(address: string): Promise<OpenApiDocument> {
  const document = await readJson(`${address}/openapi.json`);
  if (document !== null) return document as OpenApiDocument;
  const index = await readJson(`${address}/`);
  if (typeof index !== 'object' || index === null || !('routes' in index))
    throw new Error(
      `${address} has neither /openapi.json nor an index. Give the address of the index, such as http://127.0.0.1:8787/en/cms-json`,
    );
  return toDocument(index as Index);
}
