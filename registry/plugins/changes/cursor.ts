import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { createErrors, type ErrorTable, type Positions } from '../../../lib/index.ts';
import { isObject } from '../../plugin.ts';

/** The errors of `changes/v1` in addition to those of the engine. */
export const CHANGES_ERRORS = {
  rest_invalid_cursor: [
    400,
    'The cursor cannot be read: it is cut, changed, or of another site. Begin without a cursor, or with after=all.',
  ],
  rest_cursor_expired: [
    410,
    'Changes after this cursor are no longer kept. Read everything again at the address in `location`, which goes on with the changes.',
  ],
  rest_receiver_not_found: [404, 'There is no receiver with this id.'],
  rest_delivery_not_found: [404, 'There is no delivery with this id for the receiver.'],
  rest_invalid_receiver_url: [
    400,
    'The address of a receiver must be an http or https address without user name and fragment.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const changesError = createErrors(CHANGES_ERRORS);

/** A place in the feed. */
export interface FeedPosition {
  /** The revision of each collection up to which changes were read. */
  readonly at: Positions;
  /** The record that was read last, while records are read before the changes: all, or what belongs to the post `of`, if it is not 0. */
  readonly scan?: { readonly collection: string; readonly id: number; readonly of: number };
}

/** Writes and reads cursors. */
export interface Cursors {
  write(place: FeedPosition): string;
  /** @throws RestError `rest_invalid_cursor` */
  read(text: string): FeedPosition;
}

const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const isPositions = (value: unknown): value is Positions =>
  isObject(value) && Object.values(value).every((each) => Number.isSafeInteger(each) && Number(each) >= 0);

function toPlace(text: string): FeedPosition {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || !isPositions(value[0])) throw new TypeError('not a place');
  const [at, collection, id, of] = value as [Positions, string?, number?, number?];
  return collection === undefined
    ? { at }
    : { at, scan: { collection, id: Number(id), of: Number(of ?? 0) } };
}

/** Plain texts have a length that is a multiple of this, so that a cursor does not tell how many digits a revision has. */
const STEP = 64;
/**
 * Cursors are encrypted and signed, so that nobody makes one up, and nobody reads in them how much happens that is hidden. One place has
 * another cursor each time: equal ones would tell a caller that nothing has happened. The key is derived from the secret of the site, so
 * that every process of it and every backup reads them.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), 'changes/v1 cursor', 32)),
  );
  return {
    write: ({ at, scan }) => {
      const text = JSON.stringify(scan === undefined ? [at] : [at, scan.collection, scan.id, scan.of]);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = cipher.update(text.padEnd(Math.ceil(text.length / STEP) * STEP), 'utf8');
      cipher.final();
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
