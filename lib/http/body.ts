import { engineError, type RestError } from '../core/errors.ts';
import { parseJson } from '../json/parse-json.ts';
import { isJson, parseMediaType } from './media-type.ts';
import { parseQuery } from './query-string.ts';
import type { Body } from './request.ts';

const NONE: Body = Object.freeze({ kind: 'none' });

/**
 * Parses a body by its media type alone. JSON is `application/json` and `application/*+json`. A body of another type, or
 * without a type, has no parameters. Multipart forms are refused, because ignoring them would lose what was sent.
 * @throws RestError `rest_unsupported_media_type` (malformed Content-Type, or multipart), `rest_invalid_json`,
 * `rest_invalid_encoding`, `rest_too_many_parameters`
 */
export function parseBody(bytes: Uint8Array, contentType: string | undefined): Body {
  if (bytes.length === 0) return NONE;
  const essence = contentType === undefined || contentType === '' ? '' : toEssence(contentType);
  if (isJson(essence)) return { kind: 'json', value: parseJson(bytes) };
  if (essence === 'application/x-www-form-urlencoded') {
    const { params, repeated } = parseQuery(toFormText(bytes));
    return repeated.size === 0 ? { kind: 'form', params } : { kind: 'form', params, repeated };
  }
  if (essence.startsWith('multipart/')) {
    throw engineError('rest_unsupported_media_type', {
      message: `A body of type ${essence} is not supported. Send application/json or application/x-www-form-urlencoded.`,
    });
  }
  return { kind: 'text', type: essence };
}

/**
 * Refuses compressed bodies, because their size is known only after they are decompressed.
 * @throws RestError `rest_unsupported_media_type`
 */
export function checkContentEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw engineError('rest_unsupported_media_type', {
    message: 'A body with a Content-Encoding is not supported. Send it without compression.',
  });
}

/** The media type of a body. A body without a Content-Type is `application/octet-stream` (RFC 9110 8.3). @throws RestError `rest_unsupported_media_type` (malformed) */
export function readBodyType(contentType: string | undefined): string {
  return contentType === undefined || contentType === ''
    ? 'application/octet-stream'
    : toEssence(contentType);
}

/** @throws RestError `rest_body_too_large` */
export function checkBodyLength(
  headers: { readonly 'content-length'?: string | undefined },
  maxBytes: number,
): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** The error for a body that exceeds its limit. */
export function bodyTooLarge(maxBytes: number): RestError {
  return engineError('rest_body_too_large', {
    message: `The request body is larger than ${maxBytes} bytes.`,
  });
}

function toEssence(contentType: string): string {
  // What most clients send.
  if (contentType === 'application/json') return contentType;
  const essence = parseMediaType(contentType)?.essence;
  if (essence === undefined)
    throw engineError('rest_unsupported_media_type', {
      message: 'The Content-Type header is not a media type.',
    });
  return essence;
}

/** Reads UTF-8. @throws RestError `rest_invalid_encoding` */
export function toFormText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw engineError('rest_invalid_encoding', { message: 'The form body is not UTF-8.', cause });
  }
}
