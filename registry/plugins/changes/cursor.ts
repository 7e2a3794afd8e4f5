import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { isObject } from '../../../lib/core/objects.ts';
import type { Positions } from '../../../lib/store/change.ts';
import { changesError } from './errors.ts';

/** A place in the feed. */
export interface FeedPosition {
  /** The revision of each collection up to which changes were read. */
  readonly at: Positions;
  /** The record that was read last, while everything is read before the changes. */
  readonly scan?: { readonly collection: string; readonly id: number };
}

/** Writes and reads cursors. */
export interface Cursors {
  write(place: FeedPosition): string;
  /** @throws RestError `rest_invalid_cursor` */
  read(text: string): FeedPosition;
}

const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Longest cursor, in characters. */
export const LONGEST_CURSOR = 1000;

const isPositions = (value: unknown): value is Positions =>
  isObject(value) && Object.values(value).every((each) => Number.isSafeInteger(each) && Number(each) >= 0);

function toPlace(text: string): FeedPosition {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || !isPositions(value[0])) throw new TypeError('not a place');
  const [at, collection, id] = value as [Positions, string?, number?];
  return collection === undefined ? { at } : { at, scan: { collection, id: Number(id) } };
}

/**
 * Cursors are encrypted and signed, so that nobody makes one up, and nobody reads in them how much happens that is hidden. The keys are
 * derived from the secret of the site, so that every process of it and every backup reads them. One place always has the same cursor.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `changes/v1 ${purpose}`, 32));
  const [key, nonceKey] = [derive('cursor'), derive('nonce')];
  return {
    write: ({ at, scan }) => {
      const text = JSON.stringify(scan === undefined ? [at] : [at, scan.collection, scan.id]);
      const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    read: (cursor) => {
      try {
        const bytes = Buffer.from(cursor, 'base64url');
        if (bytes.toString('base64url') !== cursor) throw new TypeError('not base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return toPlace(Buffer.concat([decipher.update(body), decipher.final()]).toString());
      } catch (error) {
        throw changesError('rest_invalid_cursor', { cause: error });
      }
    },
  };
}
