import type { IncomingMessage } from 'node:http';
import { engineError } from '../../lib/core/errors.ts';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Bytes of a form: a password, and the addresses of a program. */
const MOST_BYTES = 16_384;
const PATIENCE_MS = 10_000;

/** The fields of a form; null for any other body. @throws RestError for one that is too large or arrives too slowly */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!FORM.test(request.headers['content-type'] ?? '')) return null;
  const late = setTimeout(() => request.destroy(engineError('rest_body_timeout')), PATIENCE_MS);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw engineError('rest_body_too_large');
      chunks.push(chunk);
    }
    return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  } finally {
    clearTimeout(late);
  }
}
