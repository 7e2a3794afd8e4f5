import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hasBlocks,
  parseBlockComment,
  readBlocks,
  toBlockAttributes,
  toBlockVersion,
  toShownBlocks,
  toStoredBlocks,
} from '../../../../../registry/core/content/html/blocks.ts';

const has = suite('hasBlocks');
has('by the comment of the prefix', () => {
  assert.ok(hasBlocks('a<!-- cms:paragraph -->'));
  assert.not(hasBlocks('a<!-- wp:paragraph -->'));
  assert.is(toBlockVersion('<!-- cms:paragraph --><p>x</p><!-- /cms:paragraph -->'), 1);
  assert.is(toBlockVersion('c'), 0);
});
has(
  'and both comments of a block have that of the site in requests, and the neutral one in the store',
  () => {
    const curie = { wire: 'wp', neutral: 'cms', href: '' };
    const write = (prefix: string, other: string): string =>
      `<!-- ${prefix}:group {"a":1} --><!-- ${prefix}:x /-->wp: cms:<!-- ${other} --><!-- /${prefix}:group -->`;
    assert.is(toStoredBlocks(write('wp', 'wp'), curie), write('cms', 'wp'));
    assert.is(toShownBlocks(write('cms', 'cms'), curie), write('wp', 'cms'));
  },
);
has.run();

const pieces = suite('readBlocks');
const shape = (content: string): readonly string[] =>
  [...readBlocks(content)].map((each) =>
    each.kind === 'html' ? each.text : `${each.kind}:${each.name}${each.attributes}`,
  );
const ROWS: readonly (readonly [content: string, pieces: readonly string[]])[] = [
  ['', []],
  ['a', ['a']],
  ['<!-- cms:paragraph -->x<!-- /cms:paragraph -->', ['open:paragraph', 'x', 'close:paragraph']],
  ['a<!-- cms:my-plugin/thing {"a":{"b":"}"}} /-->b', ['a', 'void:my-plugin/thing{"a":{"b":"}"}}', 'b']],
  ['<!-- note --><!-- cms:x -->', ['<!-- note -->', 'open:x']],
  ['<!-- <!-- cms:x -->', ['<!-- ', 'open:x']],
  ['<!-- cms:x', ['<!-- cms:x']],
  ['<!-- /cms:x /-->', ['<!-- /cms:x /-->']],
  ['<!-- cms:X -->', ['<!-- cms:X -->']],
  ['<!-- cmsx:a -->', ['<!-- cmsx:a -->']],
];
for (const [content, wanted] of ROWS)
  pieces(JSON.stringify(content), () => assert.equal(shape(content), wanted));
pieces('the pieces are the whole text', () => {
  const content = ROWS.map(([each]) => each).join('|');
  assert.is([...readBlocks(content)].map((each) => each.text).join(''), content);
});
pieces.run();

const comments = suite('parseBlockComment and toBlockAttributes');
comments('reads the parts', () => {
  assert.equal(parseBlockComment(' cms:a {"x":1} /'), {
    kind: 'void',
    name: 'a',
    attributes: '{"x":1}',
    text: '<!-- cms:a {"x":1} /-->',
  });
  assert.is(parseBlockComment('cms:a'), undefined);
});
comments('attributes that are not an object are empty', () => {
  assert.equal(toBlockAttributes('{"a":1}'), { a: 1 });
  for (const bad of ['', '{', '[1]', 'null', '"x"']) assert.equal(toBlockAttributes(bad), {});
});
comments.run();
