import { adviseOn } from '../core/check-options.ts';
import { isObject, own } from '../core/objects.ts';
import type { Document } from '../describe/openapi-schema.ts';
import type { McpPrompt } from './prompts.ts';
import { RpcError } from './rpc.ts';
import type { Asked } from './server.ts';

/** What a list shows of something with suggested values. */
export const withoutValues = <T extends { readonly values?: unknown }>({ values: _values, ...shown }: T) =>
  shown;

export const toShown = ({ messages: _messages, arguments: args = [], ...shown }: McpPrompt): Document => ({
  ...shown,
  arguments: args.map(withoutValues),
});

const invalid = (message: string): RpcError => new RpcError('invalidParams', message);

function need<T>(
  list: readonly T[],
  name: unknown,
  { nameOf, what }: { nameOf: (each: T) => string; what: string },
): T {
  const found = list.find((each) => nameOf(each) === name);
  if (found === undefined)
    throw invalid(
      `Unknown ${what}: ${JSON.stringify(name)}${adviseOn(String(name), list.map(nameOf), { what: `${what}s` })}`,
    );
  return found;
}

const needPrompt = ({ server }: Asked, name: unknown): McpPrompt =>
  need(server.prompts, name, { nameOf: (each) => each.name, what: 'prompt' });

/** `prompts/get` */
export async function getPrompt(asked: Asked): Promise<Document> {
  const prompt = needPrompt(asked, asked.params['name']);
  const { arguments: args = {} } = asked.params;
  if (!isObject(args) || !Object.values(args).every((value) => typeof value === 'string'))
    throw invalid('params.arguments must be an object of texts.');
  const missing = prompt.arguments?.find(
    ({ name, required }) => required === true && !Object.hasOwn(args, name),
  );
  if (missing !== undefined) throw invalid(`params.arguments.${missing.name} is missing.`);
  const { description } = prompt;
  return {
    ...(description === undefined ? {} : { description }),
    messages: await prompt.messages(args as Readonly<Record<string, string>>, asked.call),
  };
}

/** Most values of one answer, as the protocol says. */
const MOST_VALUES = 100;

function valuesOf(asked: Asked, ref: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  if (ref['type'] === 'ref/prompt')
    return needPrompt(asked, ref['name']).arguments?.find((each) => each.name === name)?.values ?? [];
  if (ref['type'] !== 'ref/resource') throw invalid('params.ref.type must be ref/prompt or ref/resource.');
  const { templates = [] } = asked.server.resources ?? {};
  const { values = {} } = need(templates, ref['uri'], {
    nameOf: (each) => each.uriTemplate,
    what: 'template',
  });
  return own(values, name) ?? [];
}

/** `completion/complete`: the known values that begin as the given one. */
export function complete(asked: Asked): Document {
  const { ref, argument } = asked.params;
  const { name, value } = isObject(argument) ? argument : {};
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string')
    throw invalid('params must have ref, an object, and argument, with the texts name and value.');
  const found = valuesOf(asked, ref, name).filter((each) =>
    each.toLowerCase().startsWith(value.toLowerCase()),
  );
  return {
    completion: {
      values: found.slice(0, MOST_VALUES),
      total: found.length,
      hasMore: found.length > MOST_VALUES,
    },
  };
}
