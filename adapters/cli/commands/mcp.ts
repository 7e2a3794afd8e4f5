import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { isObject, own } from '../../../lib/core/objects.ts';
import {
  createRequest,
  type RestRequest,
  type RestResponse,
  StreamBody,
  type WireStream,
} from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { print } from '../frame/output.ts';
import { type Caller, CALLER_OPTIONS, withCaller } from '../site/as-operator.ts';
import { toToolChoice } from '../site/site-options.ts';

/** The headers that a client of HTTP would send with a message: they repeat what the message says. */
function toHeaders(message: unknown): Readonly<Record<string, string>> {
  const { method, params } = isObject(message) ? message : {};
  const { _meta: meta, name, uri } = isObject(params) ? params : {};
  const version = isObject(meta) ? own(meta, 'io.modelcontextprotocol/protocolVersion') : undefined;
  const target = name ?? uri;
  return {
    'content-type': 'application/json',
    ...(typeof method === 'string' ? { 'mcp-method': method } : {}),
    ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    ...(typeof target === 'string'
      ? { 'mcp-name': `=?base64?${Buffer.from(target).toString('base64')}?=` }
      : {}),
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // The endpoint answers it with the error of the protocol.
    return null;
  }
}

/** Answers the messages of one client. Each is one request to the endpoint, in the order in which they are done. */
class Conversation {
  readonly #caller: Caller;
  readonly #running = new Map<unknown, AbortController>();
  readonly #all = new Set<Promise<void>>();
  /** Subscriptions, by the URI of the resource or else by the id of the request. */
  readonly #open = new Map<unknown, AbortController>();
  readonly #over = new AbortController();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  take(line: string): void {
    const message = parse(line);
    const { method, params, id } = isObject(message) ? message : {};
    const { requestId, uri = id } = isObject(params) ? params : {};
    if (method === 'notifications/cancelled') {
      this.#running.get(requestId)?.abort();
      return;
    }
    if (method === 'resources/unsubscribe') this.#open.get(uri)?.abort();
    const answering = this.#answer(line, { id, target: uri, headers: toHeaders(message) }).finally(() =>
      this.#all.delete(answering),
    );
    this.#all.add(answering);
  }

  /** Ends the subscriptions. Resolves when all messages are answered. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#all);
  }

  async #answer(
    line: string,
    { id, target, headers }: { id: unknown; target: unknown; headers: Readonly<Record<string, string>> },
  ): Promise<void> {
    const { engine, identity, language } = this.#caller;
    const gone = new AbortController();
    if (id !== undefined) this.#running.set(id, gone);
    const request: RestRequest = {
      ...createRequest('/mcp', { method: 'POST', headers, language, body: Buffer.from(line) }),
      signal: gone.signal,
    };
    const response = await engine.dispatch(request, identity);
    if (response.content instanceof StreamBody) {
      this.#open.get(target)?.abort();
      this.#open.set(target, gone);
      const signal = AbortSignal.any([gone.signal, this.#over.signal]);
      await printEvents(response.content.items as WireStream, signal);
      if (this.#open.get(target) === gone) this.#open.delete(target);
    }
    // A cancelled request and a notification have no answer.
    else if (!gone.signal.aborted && response.status !== 202) print(toLine(id, response));
    if (this.#running.get(id) === gone) this.#running.delete(id);
  }
}

/** The messages of a subscription are the data of its events. */
async function printEvents(stream: WireStream, signal: AbortSignal): Promise<void> {
  for await (const line of createInterface({ input: Readable.from(stream), signal }))
    if (line.startsWith('data: ')) print(line.slice('data: '.length));
  await stream.return();
}

/** An answer is one line. A refusal of the engine itself becomes an error of the protocol. */
function toLine(id: unknown, { body }: RestResponse): string {
  if (isObject(body) && body['jsonrpc'] === '2.0') return JSON.stringify(body);
  const message = isObject(body) ? String(body['message']) : 'The request was refused.';
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message, data: body } });
}

export const mcp = defineCommand({
  description: [
    'Speaks the Model Context Protocol of 2026-07-28 and of 2025-11-25 (docs/agents.md). It ends when its input ends.',
  ],
  operands: {},
  options: {
    ...CALLER_OPTIONS,
    tools: {
      value: 'TOOLS',
      default: 'find',
      help: 'find, all, or names with *, separated by commas: cms.posts.*.',
    },
  },
  examples: [
    [
      'routebook mcp --store file:/srv/site --content core --as editor',
      'what an agent starts to work as this editor',
    ],
  ],
  async run({ values: { tools, ...values }, added }) {
    await withCaller(values, { ...added, tools: toToolChoice(tools) }, async (caller) => {
      const conversation = new Conversation(caller);
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
        if (line !== '') conversation.take(line);
      await conversation.end();
    });
  },
});
