import { gzip } from 'node:zlib';
import { createEtag } from './etag.ts';
import type { RestRequest } from './request.ts';
import { RawBody, RestResponse } from './response.ts';

/** A text that is sent many times, as it is and compressed. */
export interface Encoded {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
}

/** Compresses in a thread of Node's pool. `type`: media type. */
export async function encode(type: string, content: string | Uint8Array): Promise<Encoded> {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const zipped = await new Promise<Uint8Array>((resolve, reject) => {
    gzip(plain, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
  return { type, plain, gzip: zipped };
}

function toWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2));
}

/** Whether `Accept-Encoding` asks for gzip (RFC 9110 12.5.3). A client that does not send the header gets the text as it is. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((range) => {
        const [coding = '', ...parameters] = range.split(';').map((part) => part.trim());
        return [coding, toWeight(parameters)];
      }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The response in the coding that the request asks for. Each coding has an ETag of its own. */
export function toEncodedResponse(
  encoded: Encoded,
  request: Pick<RestRequest, 'headers'>,
  headers: Readonly<Record<string, string>> = {},
): RestResponse {
  const isZipped = acceptsGzip(request.headers['accept-encoding']);
  const bytes = isZipped ? encoded.gzip : encoded.plain;
  return new RestResponse(new RawBody(encoded.type, bytes), {
    headers: {
      ...headers,
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
      ETag: createEtag(bytes, null),
      Vary: 'Accept-Encoding',
    },
  });
}
