import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../lib/core/cooperative.ts';
import { sanitiseContent, sanitiseTranslation } from '../../../../registry/core/content/sanitise/sanitise.ts';
import { listAdded } from '../../../support/added-markup.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { allowedMarkup, hostileMarkup } from '../../../support/markup-arbitraries.ts';

/** A translation made of parts of its source, in any order, and of other markup. */
const pairs = fc.oneof(hostileMarkup, allowedMarkup).chain((source) => {
  const part = fc
    .tuple(fc.nat(source.length), fc.nat(source.length))
    .map(([from, to]) => source.slice(Math.min(from, to), Math.max(from, to)));
  const tags = source.match(/<[^<>]*>/g) ?? [''];
  const piece = fc.oneof(
    part,
    fc.constantFrom(...tags),
    fc.constant(source),
    hostileMarkup,
    fc.constantFrom('alert(1)', '<p>', '</p>', ' ', '<style>', '</style>', '<!--', '-->', '<b title="'),
  );
  return fc.tuple(
    fc.constant(source),
    fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  );
});

const translations = suite('sanitiseTranslation');

translations('adds nothing to the source except what everybody may write', () => {
  fc.assert(
    fc.property(pairs, ([source, target]) => {
      if (target !== source)
        assert.equal(
          listAdded(source, runSteps(sanitiseTranslation(target, source))),
          [],
          JSON.stringify([source, target]),
        );
    }),
    { numRuns: countRuns(1000, 100_000) },
  );
});
translations('a translation that equals its source stays byte for byte', () => {
  fc.assert(
    fc.property(hostileMarkup, (source) => {
      assert.is(runSteps(sanitiseTranslation(source, source)), source);
    }),
    { numRuns: 200 },
  );
});
translations('without markup in the source it cleans as usual', () => {
  fc.assert(
    fc.property(hostileMarkup, (target) => {
      assert.is(runSteps(sanitiseTranslation(target, 'a text')), sanitiseContent(target));
    }),
    { numRuns: countRuns(500, 20_000) },
  );
});

const FORM =
  '<form action="https://example.org/a" method="post"><label>Name <input name="n" placeholder="Your name" required></label> <button type="submit">Send</button></form>';
const FRAME = '<iframe src="https://maps.example.org/?q=1" title="Map" allowfullscreen></iframe>';
const DRAWING =
  '<svg viewBox="0 0 1 1"><title>Chart</title><style>a>b{fill:red}</style><path d="M0 0"/></svg>';
const STYLE = '<style>p > a { color: red }</style>';
const SCRIPT = '<script>if (a < b) run("x");</script>';

const KEPT: readonly (readonly [what: string, source: string, target: string])[] = [
  [
    'a form with translated texts',
    `<p>Hello</p>${FORM}`,
    `<p>Bonjour</p>${FORM.replace('Name', 'Nom').replace('Your name', 'Votre nom').replace('Send', 'Envoyer')}`,
  ],
  [
    'a frame with a translated title',
    `Hello ${FRAME}`,
    `${FRAME.replace('Map', 'Plan &amp; carte')} Bonjour`,
  ],
  ['a drawing', `Hello ${DRAWING}`, `Bonjour ${DRAWING}`],
  ['a style and a script', `${STYLE}Hello${SCRIPT}`, `${STYLE}Bonjour${SCRIPT}`],
  [
    'attributes that authors may not write',
    '<p onclick="go()" style="position:fixed">Hello</p>',
    '<p onclick="go()" style="position:fixed">Bonjour</p>',
  ],
  ['a comment with markup', '<!-- <form> -->Hello', '<!-- <form> -->Bonjour'],
  [
    'an element with a hyphen',
    '<x-map zoom="3" label="Here">Hello</x-map>',
    '<x-map zoom="3" label="Ici">Bonjour</x-map>',
  ],
  [
    'two frames in another order',
    `${FRAME} and <iframe src="/b"></iframe>`,
    `<iframe src="/b"></iframe> et ${FRAME}`,
  ],
];
for (const [what, source, target] of KEPT)
  translations(`keeps ${what}`, () => {
    assert.is(runSteps(sanitiseTranslation(target, source)), target);
  });

const REMOVED: readonly (readonly [what: string, source: string, target: string, expected: string])[] = [
  ['a script of the source with another content', SCRIPT, '<script>alert(1)</script>', 'alert(1)'],
  ['a script of the source around a text', `${SCRIPT}a`, '<script>alert(1)', 'alert(1)'],
  ['a script that the source does not close', '<script>a', '<script>a</script>b', 'ab'],
  ['a frame with another address', FRAME, FRAME.replace('maps', 'evil'), ''],
  [
    'an attribute that the tag of the source does not have',
    '<p onclick="go()">a</p><b>b</b>',
    '<p>a</p><b onclick="go()">b</b>',
    '<p>a</p><b>b</b>',
  ],
  ['a form with another address', FORM, FORM.replace('/a"', '/b"'), FORM.replace(/<\/?form[^>]*>/g, '')],
  [
    'a drawing with another content',
    DRAWING,
    DRAWING.replace('Chart', 'Graphique'),
    'Graphiquea>b{fill:red}',
  ],
  [
    'a frame that is the text of an attribute',
    FRAME,
    `<b title='${FRAME}'>a</b>`,
    `<b title='${FRAME.replaceAll('<', '&lt;')}'>a</b>`,
  ],
  [
    'markup in a translated attribute',
    '<x-map label="Here">a</x-map>',
    '<x-map label="<img src=x onerror=a>">a</x-map>',
    'a',
  ],
  [
    'a tag that is inside a script of the source',
    '<script>"<form action=a>"</script>',
    '<form action=a>b</form>',
    'b',
  ],
  [
    'a tag that is inside a comment of the source',
    '<!-- <form action="a"> -->',
    '<form action="a">b</form>',
    'b',
  ],
];
for (const [what, source, target, expected] of REMOVED)
  translations(`removes ${what}`, () => {
    assert.is(runSteps(sanitiseTranslation(target, source)), expected);
  });
translations.run();
