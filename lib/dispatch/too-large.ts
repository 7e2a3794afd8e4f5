import { engineError, toErrorBody, type RestError } from '../core/errors.ts';
import { ANONYMOUS, type Identity } from '../core/identity.ts';
import { JsonText } from '../core/json-document.ts';
import { isObject, own } from '../core/objects.ts';
import { RestResponse, toBytes } from '../http/response.ts';

/** Largest response of an engine that is told no limit, in bytes. */
export const ANSWER_LIMIT = 8 * 1024 * 1024;

const CODE = 'rest_answer_too_large';

export const tooLargeError = (): RestError => engineError(CODE);

/** The error of a list whose first record alone is too large. `shown`: the record as it is shown. */
export function largeRecordError(shown: unknown): RestError {
  const value = shown instanceof JsonText ? shown.toJSON() : shown;
  const id = isObject(value) ? own(value, 'id') : undefined;
  if (id === undefined) return tooLargeError();
  return engineError(CODE, { message: `The record ${String(id)} alone is too large for a response. Ask for fewer fields with _fields, or leave it out with exclude.`, data: { id } });
}

/** The response that replaces one that is too large. It depends on the same records, so it can be cached as long as they do not change. */
export function toTooLarge({ dependsOn }: RestResponse, identity: Identity, error = tooLargeError()): RestResponse {
  const body = toErrorBody(error, identity);
  return new RestResponse(body, { status: body.data.status, dependsOn });
}

/** Writes the response to an anonymous caller, or the one that replaces it. @throws TypeError for a body that is not JSON */
export function writeWithin(response: RestResponse, limit: number): RestResponse {
  const written = toBytes(response.content);
  return Buffer.byteLength(written.content) > limit ? toTooLarge(response, ANONYMOUS) : response.withContent(written);
}

/** Whether the response replaces one that was too large. */
export function isTooLarge({ status, content }: RestResponse): boolean {
  return status === 413 && typeof content === 'object' && content !== null && 'code' in content && content.code === CODE;
}
