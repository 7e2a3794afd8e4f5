import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptsGzip, encode, toEncodedResponse } from '../../../lib/http/encoded.ts';
import type { RawBody, RestResponse } from '../../../lib/http/response.ts';

/** `Accept-Encoding`, and whether it asks for gzip. */
const ASKED: readonly (readonly [header: string | undefined, asked: boolean])[] = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['br, gzip', true],
  ['deflate,gzip;q=1.0', true],
  ['gzip ; q=0.5', true],
  ['*', true],
  ['*;q=0.1', true],
  ['identity', false],
  ['br', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['*;q=0, gzip', true],
  ['gzip;q=x', false],
  ['gzipped', false],
];

const accepting = suite('acceptsGzip');

for (const [header, asked] of ASKED)
  accepting(`${JSON.stringify(header)} is ${asked}`, () => assert.is(acceptsGzip(header), asked));

accepting.run();

const encoding = suite('toEncodedResponse');

encoding('sends the text as it is or compressed, each with an ETag of its own', async () => {
  const encoded = await encode('text/plain', 'words '.repeat(100));
  const [plain, zipped] = [
    toEncodedResponse(encoded, { headers: {} }, { 'Cache-Control': 'max-age=1' }),
    toEncodedResponse(encoded, { headers: { 'accept-encoding': 'gzip' } }),
  ];
  const bytesOf = ({ content }: RestResponse): Uint8Array => (content as RawBody).content as Uint8Array;
  assert.is(Buffer.from(bytesOf(plain)).toString(), 'words '.repeat(100));
  assert.is(gunzipSync(bytesOf(zipped)).toString(), 'words '.repeat(100));
  assert.equal(
    [plain, zipped].map(({ headers, content }) => [
      headers['Content-Encoding'],
      headers['Vary'],
      headers['Cache-Control'],
      (content as RawBody).type,
    ]),
    [
      [undefined, 'Accept-Encoding', 'max-age=1', 'text/plain'],
      ['gzip', 'Accept-Encoding', undefined, 'text/plain'],
    ],
  );
  assert.is.not(plain.headers['ETag'], zipped.headers['ETag']);
});

encoding.run();
