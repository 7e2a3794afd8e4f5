import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectFields, wantedFields } from '../../../lib/http/select-fields.ts';
import { codeOf } from '../../support/code-of.ts';

const RECORD = {
  id: 1,
  title: { raw: 'r', rendered: 'x', deep: { a: 1, b: 2 } },
  tags: [1, 2],
  none: null,
  _links: { self: [{ href: '/1' }], author: [{ href: '/2' }] },
};

const ROWS: readonly (readonly [fields: unknown, json: string])[] = [
  ['id', '{"id":1}'],
  ['id,tags', '{"id":1,"tags":[1,2]}'],
  ['tags, id', '{"id":1,"tags":[1,2]}'],
  [['id', 'tags'], '{"id":1,"tags":[1,2]}'],
  [['id,tags', 'none'], '{"id":1,"tags":[1,2],"none":null}'],
  ['title.raw', '{"title":{"raw":"r"}}'],
  ['title.raw,title.deep.a', '{"title":{"raw":"r","deep":{"a":1}}}'],
  ['title.raw,title', '{"title":{"raw":"r","rendered":"x","deep":{"a":1,"b":2}}}'],
  ['title,title.raw', '{"title":{"raw":"r","rendered":"x","deep":{"a":1,"b":2}}}'],
  ['_links', '{"_links":{"self":[{"href":"/1"}],"author":[{"href":"/2"}]}}'],
  ['_links.self', '{"_links":{"self":[{"href":"/1"}]}}'],
  ['unknown', '{}'],
  ['id.x', '{}'],
  ['tags.0', '{}'],
  ['title.', '{"title":{}}'],
  ['.id', '{}'],
  ['toString,constructor,__proto__', '{}'],
];

const selecting = suite('selectFields');

selecting('keeps the wanted parts of a record', () => {
  for (const [fields, json] of ROWS) {
    const selection = wantedFields(fields);
    assert.ok(selection !== null);
    assert.is(JSON.stringify(selectFields(RECORD, selection)), json, String(fields));
    assert.is(JSON.stringify(selectFields([RECORD, RECORD], selection)), `[${json},${json}]`, String(fields));
  }
});

selecting('leaves what is no record as it is', () => {
  const selection = wantedFields('id') ?? new Map();
  assert.equal([selectFields('text', selection), selectFields([1, null], selection)], ['text', [1, null]]);
});

selecting.run();

const wanted = suite('wantedFields');

wanted('is null when nothing is chosen', () => {
  for (const value of [undefined, '', ' , ', [], {}, 5, null])
    assert.is(wantedFields(value), null, JSON.stringify(value));
});

wanted('reads texts and lists, up to 500 fields', () => {
  for (const value of ['id,title.raw', ['id', 'title.raw'], 'id title.raw,'])
    assert.equal([...(wantedFields(value)?.keys() ?? [])], ['id', 'title'], JSON.stringify(value));
  assert.is(
    codeOf(() => wantedFields('a,'.repeat(500))),
    null,
  );
  for (const value of ['a,'.repeat(501), Array.from({ length: 501 }, () => '')])
    assert.is(
      codeOf(() => wantedFields(value)),
      'rest_too_many_parameters',
    );
});

wanted('reads a path of half a million parts', () => {
  assert.not.throws(() => wantedFields('a.'.repeat(500_000)));
});

wanted.run();
