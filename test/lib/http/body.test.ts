import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkContentEncoding, parseBody } from '../../../lib/http/body.ts';
import { codeOf } from '../../support/code-of.ts';

const FORM = 'application/x-www-form-urlencoded';

const READ: readonly (readonly [type: string | undefined, text: string, json: string])[] = [
  ['application/json', '', '{"kind":"none"}'],
  [undefined, '', '{"kind":"none"}'],
  ['multipart/form-data; boundary=X', '', '{"kind":"none"}'],
  ['application/json', '{"a":1}', '{"kind":"json","value":{"a":1}}'],
  ['APPLICATION/JSON; charset=latin1', '{"a":1}', '{"kind":"json","value":{"a":1}}'],
  ['application/vnd.api+json', 'null', '{"kind":"json","value":null}'],
  [
    FORM,
    'title[raw]=Nested&status=draft',
    '{"kind":"form","params":{"title":{"raw":"Nested"},"status":"draft"}}',
  ],
  [`${FORM}; charset=UTF-8`, 'a=b+c', '{"kind":"form","params":{"a":"b c"}}'],
  ['text/plain', '{"a":1}', '{"kind":"text","type":"text/plain"}'],
  ['application/jsonp', '{"a":1}', '{"kind":"text","type":"application/jsonp"}'],
  ['text/x+json', '{"a":1}', '{"kind":"text","type":"text/x+json"}'],
  [undefined, '{"a":1}', '{"kind":"text","type":""}'],
  ['', '{"a":1}', '{"kind":"text","type":""}'],
];

const REFUSED: readonly (readonly [type: string, bytes: Uint8Array, code: string])[] = [
  ['application/json', Buffer.from('{'), 'rest_invalid_json'],
  ['application/json', Buffer.from([0xff]), 'rest_invalid_json'],
  ['application/json, application/json', Buffer.from('{}'), 'rest_unsupported_media_type'],
  ['json', Buffer.from('{}'), 'rest_unsupported_media_type'],
  ['application/json charset=utf-8', Buffer.from('{}'), 'rest_unsupported_media_type'],
  ['multipart/form-data; boundary=X', Buffer.from('--X--'), 'rest_unsupported_media_type'],
  [FORM, Buffer.from('a=%zz'), 'rest_invalid_encoding'],
  [FORM, Buffer.from([0x61, 0x3d, 0xff]), 'rest_invalid_encoding'],
  [FORM, Buffer.from('a=1&'.repeat(1001)), 'rest_too_many_parameters'],
];

const body = suite('parseBody');

body('reads by media type alone', () => {
  for (const [type, text, json] of READ)
    assert.is(JSON.stringify(parseBody(Buffer.from(text), type)), json, `${type}: ${text}`);
});

body('refuses what it cannot read', () => {
  for (const [type, bytes, code] of REFUSED)
    assert.is(
      codeOf(() => parseBody(bytes, type)),
      code,
      type,
    );
});

body.run();

const encoding = suite('checkContentEncoding');

encoding('takes identity only', () => {
  for (const name of [undefined, 'identity', ' Identity '])
    assert.is(
      codeOf(() => checkContentEncoding(name)),
      null,
    );
  for (const name of ['gzip', 'br', 'deflate, gzip', 'x', ''])
    assert.is(
      codeOf(() => checkContentEncoding(name)),
      'rest_unsupported_media_type',
      name,
    );
});

encoding.run();
