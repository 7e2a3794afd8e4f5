import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { toDistance, toMatch } from '../../../../../registry/plugins/ml/memory/recall.ts';
import {
  type JobField,
  readStoredFields,
  toStoredFields,
} from '../../../../../registry/plugins/ml/records/job-texts.ts';
import { measureText } from '../../../../../registry/plugins/ml/segments/count-words.ts';
import {
  joinTexts,
  segmentFields,
  splitText,
} from '../../../../../registry/plugins/ml/segments/split-text.ts';
import { createWordReader, toTokens } from '../../../../../registry/plugins/ml/segments/text-tokens.ts';

const block = (name: string, inner: string): string =>
  `<!-- cms:${name} -->\n${inner}\n<!-- /cms:${name} -->`;
const sourcesOf = (text: string): readonly string[] =>
  runSteps(splitText(text)).parts.map(({ source }) => source);
const join = (text: string): string => {
  const { parts, after } = runSteps(splitText(text));
  return parts.map(({ before, source }) => before + source).join('') + after;
};

const TEXTS: readonly (readonly [name: string, text: string, sources: readonly string[]])[] = [
  [
    'leaf blocks',
    `${block('paragraph', '<p>One</p>')}\n\n${block('list', '<ul><li>a</li><li>b</li></ul>')}`,
    ['<p>One</p>', '<ul><li>a</li><li>b</li></ul>'],
  ],
  ['nested blocks', block('group', `<div>${block('paragraph', '<p>In</p>')}</div>`), ['<p>In</p>']],
  [
    'a text in the attributes of a block',
    '<!-- cms:search {"label":"Search here","className":"is wide"} /-->',
    ['<!-- cms:search {"label":"Search here","className":"is wide"} /-->'],
  ],
  ['attributes without a text', '<!-- cms:spacer {"height":"20px","className":"is wide"} /-->', []],
  ['a block without words', block('separator', '<hr class="x"/>'), []],
  [
    'a picture with an alternative text',
    block('image', '<img src="a.png" alt="A cat">'),
    ['<img src="a.png" alt="A cat">'],
  ],
  ['a block of classic text', block('html', '<p>One</p><p>Two</p>'), ['<p>One</p>', '<p>Two</p>']],
  ['paragraphs with empty lines', 'One\n\nTwo <b>x</b>\n \nThree', ['One', 'Two <b>x</b>', 'Three']],
  [
    'paragraphs with tags',
    '<h2>A</h2>\n<p>One</p>\n<div class="box"><p>Two</p>tail</div>',
    ['<h2>A</h2>', '<p>One</p>', '<p>Two</p>', 'tail'],
  ],
  [
    'lists',
    '<ul>\n<li>a<ul><li>b</li></ul></li>\n<li>c</li></ul>',
    ['<li>a<ul><li>b</li></ul></li>', '<li>c</li>'],
  ],
  ['paragraphs without end tags', '<p>One<p>Two<div>Three</div>', ['<p>One', '<p>Two', 'Three']],
  ['scripts', '<script>let word;</script><p>One</p><style>p { color: red }</style>', ['<p>One</p>']],
  ['empty lines in preformatted text', '<pre>a\n\nb</pre>c', ['<pre>a\n\nb</pre>', 'c']],
];

const splitting = suite('splitText');
for (const [name, text, sources] of TEXTS)
  splitting(name, () => assert.equal([sourcesOf(text), join(text)], [sources, text]));
splitting('keeps every byte of any text', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<!-- cms:a -->',
    '<!-- /cms:a -->',
    '<!--',
    '-->',
    '\n\n',
    ' ',
    'word',
    '<li>',
    '<svg>',
    '</svg>',
    '<style>',
    '&amp;',
    '"',
    '<a title="x">',
    '[b]',
    '\u0000',
    '\r\n\r\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      assert.is(join(pieces.join('')), pieces.join(''));
    }),
    { numRuns: 1000 },
  );
});
splitting.run();

const toField = (source: string): JobField => ({ id: 'body', label: 'Content', source });
const idsOf = (text: string): ReadonlyMap<string, readonly string[]> => {
  const ids = new Map<string, string[]>();
  for (const { source, id } of runSteps(segmentFields([toField(text)])))
    ids.set(source, [...(ids.get(source) ?? []), id]);
  return ids;
};

const segments = suite('segmentFields');
segments('ids survive a paragraph in front, also those of equal paragraphs', () => {
  const before = ['<p>A</p>', '<p>Same</p>', '<p>B</p>', '<p>Same</p>', '<p>C</p>'];
  const first = idsOf(before.join('\n'));
  for (let at = 0; at <= before.length; at += 1) {
    const second = idsOf(before.toSpliced(at, 0, '<p>New</p>').join('\n'));
    for (const text of ['<p>A</p>', '<p>B</p>', '<p>C</p>']) assert.equal(second.get(text), first.get(text));
    assert.is(second.get('<p>Same</p>')?.at(-1), first.get('<p>Same</p>')?.at(-1));
    // The other one is known by the text that follows.
    if (at !== 2) assert.equal(second.get('<p>Same</p>'), first.get('<p>Same</p>'));
  }
  const doubled = idsOf(['<p>Same</p>', ...before].join('\n')).get('<p>Same</p>') ?? [];
  assert.equal(doubled.slice(1), first.get('<p>Same</p>'));
});
segments('a changed word changes one id', () => {
  const text = Array.from(
    { length: 50 },
    (_, index) => `<p>The paragraph number ${index} of the story</p>`,
  ).join('\n');
  const [first, second] = [idsOf(text), idsOf(text.replace('number 20 of', 'number 20 within'))];
  const ids = new Set([...first.values()].flat());
  assert.is([...second.values()].flat().filter((id) => !ids.has(id)).length, 1);
});
segments('are unique, are stored in lists, and make the whole text again', () => {
  const fields = [
    { id: 'title', label: 'Title', source: 'T' },
    toField('<p>x</p>\n'.repeat(300)),
    { id: 'excerpt', label: 'Excerpt', source: 'One\n\nTwo' },
    { id: 'field-a-0', label: 'a', source: '["x\\n\\ny"]', path: ['a'] },
  ];
  const cut = runSteps(segmentFields(fields));
  assert.is(new Set(cut.map(({ id }) => id)).size, cut.length);
  assert.is(cut.length, 1 + 300 + 2 + 1);
  assert.equal(readStoredFields(JSON.parse(JSON.stringify(toStoredFields(cut)))), cut);
  assert.is(
    joinTexts(
      cut.filter(({ part }) => part === 'body'),
      ({ source }) => source,
    ),
    fields[1]?.source,
  );
});
segments.run();

/** The edit distance by its definition. */
function toPlainDistance(left: readonly string[], right: readonly string[]): number {
  const rows = Array.from({ length: left.length + 1 }, (_, at) =>
    Array.from({ length: right.length + 1 }, (_each, place) => (at === 0 ? place : place === 0 ? at : 0)),
  );
  for (let at = 1; at <= left.length; at += 1) {
    for (let place = 1; place <= right.length; place += 1) {
      const before = rows[at - 1] ?? [];
      const row = rows[at] ?? [];
      row[place] = Math.min(
        (before[place] ?? 0) + 1,
        (row[place - 1] ?? 0) + 1,
        (before[place - 1] ?? 0) + (left[at - 1] === right[place - 1] ? 0 : 1),
      );
    }
  }
  return rows[left.length]?.[right.length] ?? 0;
}

const measure = suite('matches');
measure('the distance within a limit is that of the definition', () => {
  const tokens = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });
  fc.assert(
    fc.property(tokens, tokens, fc.nat(8), (left, right, limit) => {
      assert.is(toDistance(left, right, limit), Math.min(toPlainDistance(left, right), limit + 1));
    }),
    { numRuns: 2000 },
  );
});
measure('one changed word of ten tokens is 90 %, and less than 75 % is none', () => {
  const reader = createWordReader('en');
  const matchOf = (left: string, right: string): number =>
    toMatch(toTokens(left, reader), toTokens(right, reader));
  assert.is(
    matchOf(
      '<p>The quick brown fox jumps over lazy dogs</p>',
      '<p>The quick red fox jumps over lazy dogs</p>',
    ),
    90,
  );
  assert.is(matchOf('one two three', 'one two four'), 0);
  assert.is(matchOf('One, two!', 'one two'), 99);
  assert.is(matchOf('<b>one</b> two three four', '<i>one</i> two three four'), 0);
});
measure('words are those of Unicode, in languages without spaces those of its dictionary', () => {
  const sizeOf = (text: string, language: string): unknown =>
    runSteps(measureText(text, createWordReader(language)));
  assert.equal(sizeOf('<p title="not this">Don’t stop — 3.5 km, l’eau<script>let x</script></p>', 'en'), {
    words: 5,
    characters: 21,
  });
  assert.equal(sizeOf('<p>私は学生です。</p>', 'ja'), { words: 4, characters: 7 });
});

/** Texts without white space, in scripts whose words a dictionary tells apart, and in letters. */
const UNSPACED: readonly (readonly [language: string, sentence: string])[] = [
  ['ja', '港の灯台は朝の光に白く立ち、船は静かに岸を離れていく。'],
  ['zh', '灯塔在清晨的光线中闪耀着白光，船只静静地离开码头。'],
  ['th', 'ประภาคารยืนอยู่ในแสงยามเช้า'],
  ['en', 'the-lighthouse-of-the-harbour,'],
  ['en', '😀🇩🇪'],
];
measure('words of long runs are those of the whole run', () => {
  for (const [language, sentence] of UNSPACED) {
    const run = sentence.repeat(Math.ceil(3000 / sentence.length));
    const whole = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(run)]
      .filter(({ isWordLike }) => isWordLike === true)
      .map(({ segment }) => segment);
    assert.equal([...createWordReader(language).words(run)], whole, language);
  }
});
measure(
  'a run of 50,000 characters without white space is cut in parts, because the time of Intl.Segmenter grows with their square',
  () => {
    const { segment } = Intl.Segmenter.prototype;
    let longest = 0;
    Intl.Segmenter.prototype.segment = function note(text: string) {
      longest = Math.max(longest, text.length);
      return segment.call(this, text);
    };
    try {
      for (const [language, sentence] of [...UNSPACED, ['en', '\u{1F1E9}'] as const, ['en', '漢'] as const])
        runSteps(
          measureText(sentence.repeat(Math.ceil(50_000 / sentence.length)), createWordReader(language)),
        );
    } finally {
      Intl.Segmenter.prototype.segment = segment;
    }
    assert.ok(longest > 0 && longest <= 1000, `${longest} characters at once`);
  },
);
measure('of a text with too many words only the first ones are cut', () => {
  const reader = createWordReader('ja');
  const [text] = UNSPACED[0]?.slice(1) ?? [];
  assert.is(toTokens((text ?? '').repeat(10_000), reader, 2000).length, 2001);
});
measure.run();
