import { engineError, type RestError, toErrorBody } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import { isObject, own } from '../../core/objects.ts';
import type { ParsedQuery } from '../../http/query-string.ts';
import { RestResponse } from '../../http/response.ts';
import { JsonText } from '../../json/json-document.ts';
import type { EndpointDescriptor } from '../../route/descriptor.ts';

/** Largest response of an engine that is told no limit, in bytes. */
export const ANSWER_LIMIT = 8 * 1024 * 1024;

const CODE = 'rest_answer_too_large';

export const tooLargeError = (): RestError => engineError(CODE);

/** The error of a list whose first record alone is too large. `shown`: the record as it is shown. */
export function largeRecordError(shown: unknown): RestError {
  const value = shown instanceof JsonText ? shown.toJSON() : shown;
  const id = isObject(value) ? own(value, 'id') : undefined;
  if (id === undefined) return tooLargeError();
  return engineError(CODE, {
    message: `The record ${String(id)} alone is too large for a response. Ask for fewer fields with _fields, or leave it out with exclude.`,
    data: { id },
  });
}

/** Whether the caller can ask for less: a smaller page, fewer fields of stored records, or nothing embedded. */
function canAskForLess({ args, body = {}, shows }: EndpointDescriptor, query: ParsedQuery | null): boolean {
  return (
    shows !== undefined ||
    query?.params['_embed'] !== undefined ||
    Object.hasOwn(args, 'per_page') ||
    Object.hasOwn(body, 'per_page')
  );
}

/** Why a response that its handler made is too large. `size`: its bytes, or at least so many. */
function largeAnswerError(size: number, limit: number): TypeError {
  return new TypeError(
    `the response has ${size} bytes or more, but the option answerLimit allows ${limit}; return less, such as pages of a list with per_page, or raise the limit`,
  );
}

/** What was called, and the limit. */
interface LargeAnswer {
  readonly endpoint: EndpointDescriptor;
  /** null: not known. */
  readonly query: ParsedQuery | null;
  readonly limit: number;
}

/** What to throw for a response that is too large: the refusal of a caller who can ask for less, else the mistake of the handler. `size`: in bytes, or a lower bound of it. */
export function blameFor(size: number, { endpoint, query, limit }: LargeAnswer): Error {
  return canAskForLess(endpoint, query) ? tooLargeError() : largeAnswerError(size, limit);
}

/** The response that replaces one that is too large. It depends on the same records, so it can be cached as long as they do not change. */
export function toTooLarge(
  { dependsOn }: RestResponse,
  identity: Identity,
  error = tooLargeError(),
): RestResponse {
  const body = toErrorBody(error, identity);
  return new RestResponse(body, { status: body.data.status, dependsOn });
}

/** Whether the response replaces one that was too large. */
export function isTooLarge({ status, content }: RestResponse): boolean {
  return status === 413 && isObject(content) && content['code'] === CODE;
}
