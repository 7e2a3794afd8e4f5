import { engineError, toErrorBody } from '../core/errors.ts';
import { ANONYMOUS, type Identity } from '../core/identity.ts';
import { RestResponse, toBytes } from '../http/response.ts';

const CODE = 'rest_answer_too_large';

/** The response that replaces one that is too large. It depends on the same records, so it can be cached as long as they do not change. */
export function toTooLarge({ dependsOn }: RestResponse, identity: Identity): RestResponse {
  const body = toErrorBody(engineError(CODE), identity);
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
