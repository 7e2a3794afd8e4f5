import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseType, parseMediaType } from '../../../lib/http/media-type.ts';

const ACCEPTED: readonly (readonly [
  text: string,
  essence: string,
  parameters?: Readonly<Record<string, string>>,
])[] = [
  ['application/json', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['  application/json\t', 'application/json'],
  ['application/json;charset=utf-8', 'application/json', { charset: 'utf-8' }],
  ['application/json ; Charset="UTF-8" ', 'application/json', { charset: 'UTF-8' }],
  ['application/json;\tcharset=utf-8', 'application/json', { charset: 'utf-8' }],
  ['application/json;', 'application/json'],
  ['application/json; ; a=1', 'application/json', { a: '1' }],
  ['application/vnd.api+json; a="x\\"y;z"', 'application/vnd.api+json', { a: 'x"y;z' }],
  ['multipart/form-data; boundary=X; boundary=Y', 'multipart/form-data', { boundary: 'X' }],
];

const REFUSED = [
  '',
  ' ',
  'json',
  'application/',
  '/json',
  'application /json',
  'application/json/x',
  'application/json, text/plain',
  'application/json charset=utf-8',
  'application/json; charset',
  'application/json; charset=',
  'application/json; charset =utf-8',
  'application/json; charset= utf-8',
  'application/json; charset="utf-8',
  'application/json; =x',
  'application/json\r\nX: y',
  'application/json; a="\n"',
  'applicätion/json',
  'application/json\0',
  '*',
];

const mediaType = suite('parseMediaType');

mediaType('reads a media type with its parameters', () => {
  for (const [text, essence, parameters = {}] of ACCEPTED) {
    const parsed = parseMediaType(text);
    assert.is(parsed?.essence, essence, text);
    assert.equal(Object.fromEntries(parsed?.parameters ?? []), parameters, text);
  }
});

mediaType('refuses anything else', () => {
  for (const text of REFUSED) assert.is(parseMediaType(text), null, JSON.stringify(text));
});

mediaType('is linear in the length of a hostile header', () => {
  assert.is(parseMediaType(`a/b;a="${'\\"'.repeat(8000)}`), null);
  assert.is(parseMediaType(`a/b${'; '.repeat(8000)}=`), null);
});

mediaType.run();

const choosing = suite('chooseType');

choosing('prefers what the client prefers, and the first of those that it likes as well', () => {
  const types = ['application/json', 'application/x-ndjson', 'text/event-stream'] as const;
  for (const [accept, chosen] of [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['TEXT/*', 'text/event-stream'],
    ['application/*;q=0.5, text/event-stream;q=0.4', 'application/json'],
    ['application/json;q=0, */*;q=0.1', 'application/x-ndjson'],
    ['application/json;q=0.2, application/x-ndjson', 'application/x-ndjson'],
    ['image/png', null],
    ['*/*;q=0', null],
    ['not a type, text/event-stream', 'text/event-stream'],
  ] as const)
    assert.is(chooseType(accept, types), chosen, accept);
});

choosing.run();
