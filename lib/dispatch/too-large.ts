import { engineError, toErrorBody } from '../core/errors.ts';
import { ANONYMOUS, type Identity } from '../core/identity.ts';
import { RestResponse, toBytes } from '../http/response.ts';

const CODE = 'rest_answer_too_large';

/** What is answered in place of an answer that is too large. It rests on the same: while nothing changes it can be given again. */
export function toTooLarge({ dependsOn }: RestResponse, identity: Identity): RestResponse {
  const body = toErrorBody(engineError(CODE), identity);
  return new RestResponse(body, { status: body.data.status, dependsOn });
}

/** An answer to a stranger, written down; or what is answered in its place. @throws TypeError for what is no JSON */
export function writeWithin(response: RestResponse, limit: number): RestResponse {
  const written = toBytes(response.content);
  return Buffer.byteLength(written.content) > limit ? toTooLarge(response, ANONYMOUS) : response.withContent(written);
}

/** Whether an answer stands for one that was too large. */
export function isTooLarge({ status, content }: RestResponse): boolean {
  return status === 413 && typeof content === 'object' && content !== null && 'code' in content && content.code === CODE;
}
