import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  readToken,
  toToken,
  type Claims,
} from '../../../../../registry/plugins/secscan/connection/tokens.ts';

const KEY = Buffer.alloc(32, 7);
const CLAIMS: Claims = { iss: '1', sub: 'site', aud: 'dashboard', iat: 1000, exp: 1600, epoch: 2 };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forge(header: unknown, claims: unknown, key: Uint8Array = KEY): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

const making = suite('toToken');

making('is a JWT that any reader of RFC 7519 understands', () => {
  const [header = '', payload = '', signature] = toToken(CLAIMS, KEY).split('.');
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()), { alg: 'HS256', typ: 'JWT' });
  assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()), CLAIMS);
  assert.is(signature, createHmac('sha256', KEY).update(`${header}.${payload}`).digest('base64url'));
});

making.run();

const reading = suite('readToken');

reading('gives the claims back while the token lives', () => {
  assert.equal(readToken(toToken(CLAIMS, KEY), KEY, 1599), CLAIMS);
  assert.is(readToken(toToken(CLAIMS, KEY), KEY, 1600), null);
});

const good = toToken(CLAIMS, KEY);
const refused: readonly (readonly [label: string, token: string])[] = [
  ['another key', toToken(CLAIMS, Buffer.alloc(32, 8))],
  ['no algorithm', forge({ alg: 'none', typ: 'JWT' }, CLAIMS)],
  ['no signature', `${encode({ alg: 'none', typ: 'JWT' })}.${encode(CLAIMS)}.`],
  ['another algorithm', forge({ alg: 'HS512', typ: 'JWT' }, CLAIMS)],
  ['a changed claim', good.replace(good.split('.')[1] ?? '', encode({ ...CLAIMS, sub: 'other' }))],
  ['a cut signature', good.slice(0, -1)],
  ['a fourth part', `${good}.x`],
  ['one part', 'x'],
  ['nothing', ''],
  ['a claim of the wrong type', forge({ alg: 'HS256', typ: 'JWT' }, { ...CLAIMS, exp: '9999' })],
  ['no expiry', forge({ alg: 'HS256', typ: 'JWT' }, { ...CLAIMS, exp: undefined })],
  ['not an object', forge({ alg: 'HS256', typ: 'JWT' }, null)],
  ['a huge text', `${good}${'a'.repeat(5000)}`],
];
for (const [label, token] of refused) {
  reading(`refuses ${label}`, () => {
    assert.is(readToken(token, KEY, 1001), null);
  });
}

reading.run();
