import { ReadableStream } from 'node:stream/web';
import {
  createEngine,
  defineNamespace,
  engineError,
  RawBody,
  type Engine,
  type McpContents,
  type McpPrompt,
  type McpResources,
} from '../../../lib/index.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const HANDLERS = {
  simple_text: () => 'This is a simple text response for testing.',
  error_handling: () => engineError('rest_forbidden'),
  image_content: () => new RawBody('image/png', Buffer.from(PNG, 'base64')),
  audio_content: () => new RawBody('audio/wav', Buffer.from('RIFF0000WAVE')),
  embedded_resource: () => new RawBody('application/octet-stream', Buffer.from('bytes')),
} as const;

const TOOLS = defineNamespace(
  {
    namespace: 'test',
    routes: Object.keys(HANDLERS).map((name) => ({
      pattern: `/test/${name}`,
      endpoints: [
        {
          methods: ['POST'] as const,
          handler: `test.${name}`,
          tool: `test_${name}`,
          permission: 'public',
          summary: 'Test',
          args: {},
        },
      ],
    })),
  },
  Object.fromEntries(Object.entries(HANDLERS).map(([name, run]) => [`test.${name}`, run])),
);

const say = (...contents: readonly object[]) => contents.map((content) => ({ role: 'user', content }));
const text = (words: string): object => ({ type: 'text', text: words });

const PROMPTS: readonly McpPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Test',
    messages: () => say(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Test',
    arguments: [
      { name: 'arg1', required: true, values: ['one', 'other'] },
      { name: 'arg2', required: true },
    ],
    messages: ({ arg1 = '', arg2 = '' }) =>
      say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Test',
    arguments: [{ name: 'resourceUri', required: true }],
    messages: ({ resourceUri: uri = '' }) =>
      say(
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'Test',
    messages: () =>
      say({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  },
];

const CONTENTS: readonly McpContents[] = [
  {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
];

function read(uri: string): readonly McpContents[] | null {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return CONTENTS.filter((each) => each.uri === uri).slice(0, 1);
  const value = { id, templateTest: true, data: `Data for ID: ${id}` };
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }];
}

const RESOURCES: McpResources = {
  templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  list: async () => ({
    resources: CONTENTS.map(({ uri, mimeType = '' }) => ({ uri, mimeType, name: uri })),
    more: false,
  }),
  read: async (uri) => {
    const found = read(uri);
    return found?.length === 0 ? null : found;
  },
  // Nothing ever changes.
  watch: async (uris) => ({ watched: uris, updates: new ReadableStream<string>() }),
};

/** What the scenarios of the conformance suite ask for by name, as far as the engine has it. */
export const createMcpNamespace = (): Engine =>
  createEngine({ namespaces: [TOOLS], mcp: { tools: 'all', prompts: PROMPTS, resources: RESOURCES } });
