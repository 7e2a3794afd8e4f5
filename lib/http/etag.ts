import { hash } from 'node:crypto';
import { engineError } from '../core/errors.ts';
import type { RestRequest } from './request.ts';

/** Digests of bytes that are sent many times. The bytes of a response never change. */
const digests = new WeakMap<Uint8Array, string>();

function toDigest(content: string | Uint8Array): string {
  const known = typeof content === 'string' ? undefined : digests.get(content);
  if (known !== undefined) return known;
  const digest = hash('sha1', content, 'base64url');
  if (typeof content !== 'string') digests.set(content, digest);
  return digest;
}

/** A strong ETag (RFC 9110 8.8.3) of the bytes. `version`: version of the record that they show, for `If-Match`. */
export function createEtag(text: string | Uint8Array, version: number | null): string {
  const digest = toDigest(text);
  return version === null ? `"${digest}"` : `"${version}-${digest}"`;
}

/** The tag of a record after a change, for `If-Match`, which compares only the version. No read has this tag, so it never leads to a 304. */
export function createChangeTag(version: number): string {
  return `"${version}-"`;
}

function splitTags(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
}

/** Whether `If-None-Match` contains the tag (RFC 9110 13.1.2: weak comparison). */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return splitTags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/**
 * Compares `If-Match` with the current version of the record (RFC 9110 13.1.1), and `If-None-Match`, which lets a write create and
 * not change (13.1.2). The tag of any representation of that version matches, for any caller.
 * @returns the version that the write must find; undefined if the request has no such condition.
 * @throws RestError `rest_precondition_failed`
 */
export function checkIfMatch(
  { request }: { readonly request: Pick<RestRequest, 'headers'> },
  version: number,
): number | undefined {
  const { 'if-match': header, 'if-none-match': none = '' } = request.headers;
  const isOf = (tag: string): boolean => tag === '*' || tag.startsWith(`"${version}-`);
  if (splitTags(none).some((tag) => isOf(tag.replace(/^W\//, ''))))
    throw engineError('rest_precondition_failed', {
      message: 'The resource is there already: If-None-Match excludes its ETag.',
    });
  if (header === undefined) return undefined;
  const fits = splitTags(header).some(isOf);
  if (!fits) throw engineError('rest_precondition_failed');
  return version;
}
