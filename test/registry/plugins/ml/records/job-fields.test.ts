import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '../../../../../lib/schema/schema-dialect.ts';
import {
  toJobFields,
  toRevision,
  toTermNames,
  toTranslatedTexts,
  type PostTexts,
} from '../../../../../registry/plugins/ml/records/job-texts.ts';
import { readXmlConfig } from '../../../../../registry/plugins/ml/records/xml-config.ts';

const toPost = (meta: Record<string, Json> = {}): PostTexts => ({
  title: 'Hello',
  content: '<p>World</p>',
  excerpt: '',
  slug: 'hello',
  meta,
});
const PLAIN = readXmlConfig('');
const toConfig = (body: string) => readXmlConfig(`<ml-config>${body}</ml-config>`);
const FIELDS =
  toConfig(`<custom-fields><custom-field action="translate">subtitle</custom-field><custom-field action="translate">list</custom-field>
  <custom-field action="copy">price</custom-field><custom-field action="copy-once">stock</custom-field><custom-field action="ignore">note</custom-field></custom-fields>
  <custom-fields-texts><key name="box"><key name="title"/><key name="items"><key name="*"><key name="label"/></key></key></key></custom-fields-texts>`);
const META: Record<string, Json> = {
  subtitle: 'Sub',
  list: ['one', 2, 'three'],
  price: '12',
  stock: 5,
  note: 'n',
  other: 'o',
  box: { title: 'T', color: 'red', items: [{ label: 'L0', url: '/x' }, { label: 'L1' }] },
};

const fields = suite('toJobFields');
fields('title, content and slug; empty texts are left out', () => {
  assert.equal(
    toJobFields(toPost(), [], PLAIN).map(({ id, source }) => [id, source]),
    [
      ['title', 'Hello'],
      ['body', '<p>World</p>'],
      ['URL', 'hello'],
    ],
  );
});
fields('terms, unless the configuration excludes them', () => {
  const terms = [
    { id: 4, taxonomy: 'category', name: 'News' },
    { id: 9, taxonomy: 'post_tag', name: 'red' },
  ];
  const ids = (config = PLAIN): string[] =>
    toJobFields(toPost(), terms, config)
      .map((field) => field.id)
      .slice(3);
  assert.equal(ids(), ['t_4', 't_9']);
  assert.equal(ids(toConfig('<taxonomies><taxonomy translate="0">post_tag</taxonomy></taxonomies>')), [
    't_4',
  ]);
});
fields('only the custom fields that the configuration names', () => {
  assert.equal(toJobFields(toPost(META), [], PLAIN).length, 3);
  assert.equal(
    toJobFields(toPost(META), [], FIELDS)
      .slice(3)
      .map(({ id, source }) => [id, source]),
    [
      ['field-subtitle-0', 'Sub'],
      ['field-list-0', 'one'],
      ['field-list-2', 'three'],
      ['field-box-0-title', 'T'],
      ['field-box-0-items-0-label', 'L0'],
      ['field-box-0-items-1-label', 'L1'],
    ],
  );
});
fields('ids are unique NMTOKENs for any keys', () => {
  const key = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
    .filter((text) => text.trim() === text);
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 6 }), (keys) => {
      const config = { ...PLAIN, fields: new Map(keys.map((name) => [name, 'translate'] as const)) };
      const ids = toJobFields(toPost(Object.fromEntries(keys.map((name) => [name, ['a', 'b']]))), [], config)
        .slice(3)
        .map((field) => field.id);
      assert.is(new Set(ids).size, ids.length);
      for (const id of ids) assert.match(id, /^[\w.-]+$/);
    }),
    { numRuns: 200 },
  );
});
fields.run();

const revision = suite('toRevision');
revision('changes with each text, and only with texts', () => {
  const of = (post: PostTexts): string => toRevision(toJobFields(post, [], FIELDS));
  const before = of(toPost(META));
  assert.match(before, /^[0-9a-f]{16}$/);
  assert.is(of(toPost({ ...META, price: '13' })), before);
  assert.is.not(of(toPost({ ...META, subtitle: 'Sub!' })), before);
  assert.is.not(of({ ...toPost(META), content: '<p>World </p>' }), before);
});
revision.run();

const back = suite('toTranslatedTexts');
const translate = (
  meta: Record<string, Json>,
  previous: Record<string, Json> | null,
  texts: Record<string, string>,
): PostTexts => {
  const source = toPost(meta);
  return toTranslatedTexts(
    source,
    { fields: toJobFields(source, [], FIELDS), texts: new Map(Object.entries(texts)) },
    { previous, config: FIELDS },
  );
};
back('texts are written to their fields; missing ones are copied from the source, except the slug', () => {
  const { title, content, excerpt, slug } = translate({}, null, { title: 'Bonjour', URL: 'bonjour' });
  assert.equal(
    { title, content, excerpt, slug },
    { title: 'Bonjour', content: '<p>World</p>', excerpt: '', slug: 'bonjour' },
  );
  assert.is(translate({}, null, {}).slug, '');
});
back('a new translation: translated, copied, copied once; other fields are ignored', () => {
  assert.equal(
    translate(META, null, {
      'field-subtitle-0': 'Sous',
      'field-list-2': 'trois',
      'field-box-0-items-1-label': 'E1',
    }).meta,
    {
      subtitle: 'Sous',
      list: ['one', 2, 'trois'],
      price: '12',
      stock: 5,
      box: { title: 'T', color: 'red', items: [{ label: 'L0', url: '/x' }, { label: 'E1' }] },
    },
  );
});
back('an existing translation keeps its own fields', () => {
  const { meta } = translate(META, { stock: 1, note: 'mine', price: '11', extra: 'e' }, {});
  assert.equal([meta['stock'], meta['note'], meta['price'], meta['extra']], [1, 'mine', '12', 'e']);
});
back('translating each text into itself changes nothing', () => {
  const source = toPost(META);
  const all = toJobFields(source, [], FIELDS);
  const same = toTranslatedTexts(
    source,
    { fields: all, texts: new Map(all.map((field) => [field.id, field.source])) },
    { previous: META, config: FIELDS },
  );
  assert.equal(same, source);
});
back.run();

const names = suite('toTermNames');
names('reads only the terms', () => {
  assert.equal(
    [
      ...toTermNames(
        new Map([
          ['t_4', ' Nouvelles '],
          ['title', 'x'],
          ['t_x', 'y'],
        ]),
      ),
    ],
    [[4, 'Nouvelles']],
  );
});
names.run();
