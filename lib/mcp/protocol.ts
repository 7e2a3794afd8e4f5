import { isObject, own } from '../core/objects.ts';

/** Codes of JSON-RPC 2.0, 5.1, and of the Model Context Protocol of 2026-07-28, "Error Codes". */
const RPC_ERRORS = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  /** Only for clients of revisions before 2026-07-28. */
  unknownResource: -32_002,
} as const;

/** A failure that is answered with an error of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;
  /** Status of the HTTP response. */
  readonly status: number;
  readonly data: unknown;

  constructor(
    name: keyof typeof RPC_ERRORS,
    message: string,
    { status = 200, data }: { status?: number; data?: unknown } = {},
  ) {
    super(message);
    this.code = RPC_ERRORS[name];
    this.status = status;
    this.data = data;
  }
}

/** Parameters by name; {} if the message has none. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** A message of a client. `id` null: a notification, or a response, which has no answer. */
export interface RpcMessage {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: RpcParams;
}

const invalid = (message: string): RpcError => new RpcError('invalidRequest', message, { status: 400 });

/** The id under which an error is answered; null: it could not be read. */
export function readId(value: unknown): string | number | null {
  const id = isObject(value) ? value['id'] : undefined;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/** Reads one message. @throws RpcError for anything else, such as a batch, which the protocol does not have since 2025-06-18 */
export function readMessage(value: unknown): RpcMessage {
  if (Array.isArray(value)) throw invalid('A batch is not supported: send each message as a request.');
  if (!isObject(value) || value['jsonrpc'] !== '2.0')
    throw invalid('The message must be an object of JSON-RPC, with the member "jsonrpc": "2.0".');
  const { method, params = {} } = value;
  const id = readId(value);
  if (value['id'] !== undefined && id === null)
    throw invalid('The member id must be a text or a whole number.');
  if (method === undefined && ('result' in value || 'error' in value))
    return { id: null, method: '', params: {} };
  if (typeof method !== 'string') throw invalid('The member method must be a text.');
  if (!isObject(params))
    throw new RpcError('invalidParams', 'The member params must be an object.', { status: 400 });
  return { id, method, params };
}

/** The revision of the protocol without sessions. */
const MODERN = '2026-07-28';
/** Revisions whose clients begin with `initialize`. No session is kept: each request is answered alone. */
const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const REVISIONS: readonly string[] = [MODERN, ...LEGACY];

const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
const CAPABILITIES = `${PREFIX}clientCapabilities`;
/** Where results name the server. */
export const SERVER_INFO = `${PREFIX}serverInfo`;
/** Where the messages of a subscription name the request that began it. */
export const SUBSCRIPTION = `${PREFIX}subscriptionId`;

/** Headers of a request, in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

const metaOf = ({ _meta: meta }: RpcParams): RpcParams => (isObject(meta) ? meta : {});

/** The version that `initialize` agrees on. */
export function agreeOn(params: RpcParams): string {
  const asked = params['protocolVersion'];
  return LEGACY.find((version) => version === asked) ?? (LEGACY[0] as string);
}

const unsupported = (requested: string): RpcError =>
  new RpcError('unsupportedVersion', 'Unsupported protocol version', {
    status: 400,
    data: { supported: REVISIONS, requested },
  });

const mismatch = (name: string, header: string | undefined, wanted: string): RpcError =>
  new RpcError(
    'headerMismatch',
    header === undefined
      ? `Header mismatch: the header ${name} is missing; it must be ${JSON.stringify(wanted)}, as in the body`
      : `Header mismatch: the header ${name} is ${JSON.stringify(header)}, but the body says ${JSON.stringify(wanted)}`,
    { status: 400 },
  );

/** Whether the client speaks the revision without sessions. `headers`: those of its HTTP request. */
export function isModern({ method, params }: RpcMessage, headers: Headers): boolean {
  if (method === 'initialize') return headers['mcp-protocol-version'] === MODERN;
  const header = headers['mcp-protocol-version'];
  return Object.hasOwn(metaOf(params), VERSION) || (header !== undefined && !LEGACY.includes(header));
}

const ENCODED = /^=\?base64\?([A-Za-z\d+/]*={0,2})\?=$/;

function decode(header: string): string {
  const [, encoded] = ENCODED.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Methods whose target is repeated in the header Mcp-Name -> the parameter that holds it. */
const TARGETS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};

/** Compares the version and the headers with the body, because a proxy may have decided by the headers. @throws RpcError */
export function checkModern({ method, params }: RpcMessage, headers: Headers): void {
  const meta = metaOf(params);
  const version = own(meta, VERSION);
  const header = headers['mcp-protocol-version'];
  if (version === undefined && header !== undefined && header !== MODERN) throw unsupported(header);
  if (typeof version !== 'string')
    throw new RpcError('invalidParams', `params._meta must have ${VERSION}, a text such as "${MODERN}"`, {
      status: 400,
    });
  if (header !== version) throw mismatch('MCP-Protocol-Version', header, version);
  if (version !== MODERN) throw unsupported(version);
  if (!isObject(own(meta, CAPABILITIES)))
    throw new RpcError('invalidParams', `params._meta must have ${CAPABILITIES}, an object`, { status: 400 });
  if (headers['mcp-method'] !== method) throw mismatch('Mcp-Method', headers['mcp-method'], method);
  const target = own(params, own(TARGETS, method) ?? '');
  const name = headers['mcp-name'];
  if (typeof target === 'string' && (name === undefined || decode(name) !== target))
    throw mismatch('Mcp-Name', name, target);
}
