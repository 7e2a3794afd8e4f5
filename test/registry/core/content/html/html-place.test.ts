import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PlaceTracker, readHtml } from '../../../../../registry/core/content/html/html.ts';

/** Names of the start tags in order. Those outside of HTML are in brackets. */
function toPlaces(html: string): string {
  const tracker = new PlaceTracker();
  const places: string[] = [];
  readHtml(
    html,
    {
      start: (tag) => places.push(tracker.start(tag) ? tag.name : `(${tag.name})`),
      end: (tag) => tracker.end(tag),
    },
    { raw: false },
  );
  return places.join(' ');
}

const test = suite('PlaceTracker');

for (const [html, expected] of [
  ['<p><b>', 'p b'],
  ['<svg><g><style></style></g></svg><style>', '(svg) (g) (style) style'],
  ['<svg/><style>', '(svg) style'],
  ['<svg><p><style>', '(svg) p style'],
  ['<svg></p><style>', '(svg) style'],
  ['<svg><font><style>', '(svg) (font) (style)'],
  ['<svg><font color=red><style>', '(svg) font style'],
  ['<svg><foreignObject><style></style></foreignObject><style>', '(svg) (foreignobject) style (style)'],
  ['<svg><desc><svg><title><style>', '(svg) (desc) (svg) (title) style'],
  ['<svg><title/><style>', '(svg) (title) (style)'],
  ['<math><style>', '(math) (style)'],
  ['<math><mi><style></style><mglyph><style>', '(math) (mi) style (mglyph) (style)'],
  ['<math><annotation-xml><style>', '(math) (annotation-xml) (style)'],
  ['<math><annotation-xml encoding="TEXT/HTML"><style>', '(math) (annotation-xml) style'],
  ['<math><annotation-xml><svg><desc><style>', '(math) (annotation-xml) (svg) (desc) style'],
  ['</x></svg><style>', 'style'],
] as const)
  test(html, () => {
    assert.is(toPlaces(html), expected);
  });

test.run();

const place = suite('readHtml by place');

const readTags = (html: string): string => {
  const names: string[] = [];
  readHtml(html, { start: ({ name }) => names.push(name) }, { raw: 'place' });
  return names.join(' ');
};

for (const [html, expected] of [
  ['<style><a></style><b>', 'style b'],
  ['<svg><style><a></style></svg><b>', 'svg style a b'],
  ['<noscript><a></noscript><b>', 'noscript b'],
  ['<svg><![CDATA[<a>]]><g>', 'svg g'],
  ['<![CDATA[<a>]]><g>', 'g'],
] as const)
  place(html, () => {
    assert.is(readTags(html), expected);
  });

place.run();
