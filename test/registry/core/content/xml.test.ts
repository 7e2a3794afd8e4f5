import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeXml } from '../../../../lib/core/escape.ts';
import { childElements, parseXml, textOf, XmlError } from '../../../../registry/core/content/xml.ts';

function positionOf(text: string): readonly [line: number, column: number] {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return [error.line, error.column];
    throw error;
  }
  assert.unreachable(`accepted: ${text.slice(0, 60)}`);
  return [0, 0];
}

const reads = suite('parseXml');

reads('keeps elements, attributes and texts in order', () => {
  const root = parseXml(
    '<?xml version="1.0"?>\n<a x="1" y="&lt;&#233;"><!-- no -->one<b/><![CDATA[<two>]]> three<b k="v">in</b></a>',
  );
  assert.is(root.name, 'a');
  assert.is(root.line, 2);
  assert.equal({ ...root.attributes }, { x: '1', y: '<é' });
  assert.is(Object.getPrototypeOf(root.attributes), null);
  assert.equal(
    root.children.map((child) => (typeof child === 'string' ? child : child.name)),
    ['one', 'b', '<two> three', 'b'],
  );
  assert.is(textOf(root), 'one<two> threein');
  assert.is(childElements(root, 'b').length, 2);
  assert.is(childElements(root)[1]?.attributes['k'], 'v');
});

reads('keeps prefixes in names', () => {
  const root = parseXml('<x:file xmlns:x="urn:x" xml:lang="fr"/>');
  assert.is(root.name, 'x:file');
  assert.is(root.attributes['xml:lang'], 'fr');
});

reads('accepts the deepest nesting allowed and refuses one more', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.is(parseXml(nested(64)).name, 'a');
  positionOf(nested(65));
  positionOf('<a>'.repeat(200_000));
});

reads('refuses more than 1 MiB, counted in bytes', () => {
  const around = '<a></a>'.length;
  assert.is(textOf(parseXml(`<a>${'x'.repeat(1024 * 1024 - around)}</a>`)).length, 1024 * 1024 - around);
  positionOf(`<a>${'x'.repeat(1024 * 1024 - around + 1)}</a>`);
  positionOf(`<a>${'é'.repeat(600_000)}</a>`);
});

reads('names the place of the fault', () => {
  assert.equal(positionOf('<a>\n  <b>\n</a>')[0], 3);
  assert.equal(positionOf('<a>\n\n &unknown; </a>')[0], 3);
});

reads.run();

const BOMB = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">]><a>&y;</a>';

const REFUSED = [
  ['', 'no document'],
  ['   ', 'blank'],
  ['plain text', 'no element'],
  ['<a>', 'not closed'],
  ['<a></b>', 'closed by another'],
  ['<a/><b/>', 'two roots'],
  ['<a/>tail', 'text behind the root'],
  ['<a x="1" x="2"/>', 'attribute twice'],
  ['<a x=1/>', 'unquoted'],
  ['<a>&nbsp;</a>', 'entity of HTML'],
  ['<a>&#0;</a>', 'NUL by number'],
  ['<a>\u0000</a>', 'NUL'],
  ['<a>\u0001</a>', 'control'],
  ['<!DOCTYPE a><a/>', 'doctype'],
  ['<!DOCTYPE a [', 'open doctype'],
  [BOMB, 'entity bomb'],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'external subset'],
  ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'external entity'],
  ['<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/">%x;]><a/>', 'parameter entity'],
  ['<!DOCTYPE a PUBLIC "x" "http://127.0.0.1/"><a/>', 'public identifier'],
  ['<a>&x;</a>', 'undeclared entity'],
  ['<!doctype a><a/>', 'doctype in lower case'],
] as const;

const refuses = suite('parseXml refuses');

for (const [text, name] of REFUSED) {
  refuses(name, () => {
    assert.ok(positionOf(text));
  });
}

refuses.run();

const escapes = suite('escapeXml');

escapes('what it writes is read back', () => {
  const text = `a & b < c > "d" 'e' é 日本 😀 ]]>`;
  assert.is(textOf(parseXml(`<a>${escapeXml(text)}</a>`)), text);
  assert.is(parseXml(`<a x="${escapeXml(text)}"/>`).attributes['x'], text);
});

escapes('characters that XML cannot hold are left out', () => {
  assert.is(escapeXml('a\u0000b\u001Fc\uFFFEd\uD800e'), 'abcde');
});

escapes.run();
