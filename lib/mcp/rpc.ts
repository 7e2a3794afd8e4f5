import { isObject } from '../core/objects.ts';

/** Codes of JSON-RPC 2.0, 5.1, and of the Model Context Protocol of 2026-07-28, "Error Codes". */
export const RPC_ERRORS = {
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
