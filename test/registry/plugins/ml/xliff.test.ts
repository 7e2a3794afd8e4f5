import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toXmlText } from '../../../../lib/core/escape.ts';
import { readXliff, XliffError } from '../../../../registry/plugins/ml/xliff/xliff-read.ts';
import {
  readOriginal,
  toOriginal,
  writeXliff,
  XLIFF_VERSIONS,
  type XliffFile,
  type XliffUnit,
} from '../../../../registry/plugins/ml/xliff/xliff-write.ts';

const toUnit = (id: string, source: string, target = ''): XliffUnit => ({
  id,
  label: id,
  source,
  target,
  state: target === '' ? 'initial' : 'translated',
});
const toFile = (units: readonly XliffUnit[]): XliffFile => ({
  original: '7-0123456789abcdef-x',
  source: 'en',
  target: 'fr',
  reference: 'https://example.org/en/a?b=1&c="2"',
  notes: ['Type: post'],
  units,
});

const TEXTS: readonly [string, string][] = [
  ['plain', 'Hello'],
  ['zero', '0'],
  ['blanks and lines', '  a\n\n\tb  \n'],
  ['carriage returns', 'a\r\nb\rc\r'],
  ['entities', '&amp; &lt;b&gt; &nbsp; &#38; &copy; <b>x</b> "quoted" \'too\''],
  ['CDATA end marker', 'a]]>b]]]]>>c]]'],
  ['CDATA in the text', '<![CDATA[x]]>'],
  ['right to left', '<p dir="rtl">مرحبا \u202Bعالم\u202C שלום</p>'],
  ['emoji', '👩‍👩‍👧 \u{1F600}'],
  ['block comment', '<!-- cms:paragraph {"a":"--"} -->\n<p>x</p>\n<!-- /cms:paragraph -->'],
  ['100,000 characters', '<p>مرحبا & é ]]> </p>'.repeat(5000).slice(0, 100_000)],
];

const trip = suite('write and read');
for (const version of XLIFF_VERSIONS) {
  for (const [name, text] of TEXTS) {
    trip(`${version}: ${name}`, () => {
      const file = readXliff(writeXliff(toFile([toUnit('body', text, text)]), version));
      assert.equal(file.targets, [{ id: 'body', source: text, text, state: 'translated' }]);
      assert.equal(
        [file.version, file.original, file.source, file.target],
        [version, '7-0123456789abcdef-x', 'en', 'fr'],
      );
    });
  }
  trip(`${version}: any texts`, () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(']', '>', '<', '&', '\r', '\n', '\u0000'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
    });
    fc.assert(
      fc.property(text, text, (source, target) => {
        const [read] = readXliff(writeXliff(toFile([toUnit('a', source, target)]), version)).targets;
        assert.is(read?.source, toXmlText(source));
        assert.is(read?.text ?? '', toXmlText(target));
      }),
      { numRuns: 300 },
    );
  });
  trip(`${version}: keeps states`, () => {
    const states = ['initial', 'translated', 'reviewed', 'final'] as const;
    const units = states.map((state) => ({ ...toUnit(state, 'a', 'b'), state }));
    assert.equal(
      readXliff(writeXliff(toFile(units), version)).targets.map((target) => target.state),
      states,
    );
  });
  trip(`${version}: a target from the memory does not count as translated`, () => {
    const text = writeXliff(toFile([{ ...toUnit('a', 'a', 'b'), memory: 'outdated' }]), version);
    assert.match(text, 'leveraged-tm');
    assert.is(readXliff(text).targets[0]?.state, 'initial');
  });
}
trip.run();

const FOREIGN_1 = (body: string): string =>
  `<xliff version="1.2"><file original="1" source-language="en" target-language="fr">${body}</file></xliff>`;
const FOREIGN_2 = (body: string): string =>
  `<xliff version="2.0" srcLang="en" trgLang="fr"><file id="f" original="1">${body}</file></xliff>`;

const reading = suite('readXliff');
reading('joins segments marked by a 1.2 tool', () => {
  const { targets } = readXliff(
    FOREIGN_1(
      '<body><group><trans-unit id="a"><source>x</source><target>a<mrk mtype="seg" mid="0">b</mrk><g id="1">c</g></target></trans-unit></group></body>',
    ),
  );
  assert.equal(targets, [
    { id: 'a', source: 'x', text: 'abc', state: 'translated', unknown: ['<g id="1">'] },
  ]);
});
reading('joins the segments of a 2.x unit; the unit has the least advanced state', () => {
  const { targets } = readXliff(
    FOREIGN_2(`<unit id="a"><segment state="final"><source>A. </source><target>B. </target></segment><ignorable><source> </source></ignorable>
    <segment state="translated"><source>C</source><target>D<cp hex="0009"/><mrk id="m">E</mrk></target></segment></unit>`),
  );
  assert.equal(targets, [{ id: 'a', source: 'A.  C', text: 'B.  DE', state: 'translated' }]);
});
reading('a unit without target has no text', () => {
  assert.is(
    readXliff(FOREIGN_1('<trans-unit id="a"><source>x</source></trans-unit>')).targets[0]?.text,
    null,
  );
  assert.is(
    readXliff(FOREIGN_2('<unit id="a"><segment><source>x</source></segment></unit>')).targets[0]?.text,
    null,
  );
});
reading('prefixes are accepted', () => {
  assert.is(
    readXliff(
      '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file original="o"><x:trans-unit id="a"><x:source/><x:target>t</x:target></x:trans-unit></x:file></x:xliff>',
    ).targets[0]?.text,
    't',
  );
});

const BOMB = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${'&a;'.repeat(10)}">`).join('')}]><xliff version="1.2">&a8;</xliff>`;
const REFUSED: readonly [string, string, XliffError['code']][] = [
  ['nothing', '', 'not_xml_file'],
  ['a text', 'hello', 'not_xml_file'],
  ['cut off', writeXliff(toFile([toUnit('a', 'b')])).slice(0, -30), 'not_xml_file'],
  ['a DOCTYPE', '<!DOCTYPE xliff SYSTEM "file:///etc/passwd"><xliff version="1.2"/>', 'not_xml_file'],
  ['a bomb', BOMB, 'not_xml_file'],
  ['an unknown entity', FOREIGN_1('<trans-unit id="a"><target>&x;</target></trans-unit>'), 'not_xml_file'],
  ['a deep document', '<a>'.repeat(200_000), 'not_xml_file'],
  ['another root', '<tmx version="1.2"/>', 'xliff_invalid'],
  ['an unknown version', '<xliff version="3.0"/>', 'xliff_invalid'],
  ['no version', '<xliff/>', 'xliff_invalid'],
  ['no file', '<xliff version="1.2"/>', 'xliff_invalid'],
  ['two files', '<xliff version="2.0"><file/><file/></xliff>', 'xliff_invalid'],
  ['a unit without id', FOREIGN_1('<trans-unit><target>x</target></trans-unit>'), 'xliff_invalid'],
  ['a duplicate id', FOREIGN_1('<trans-unit id="a"/><trans-unit id="a"/>'), 'xliff_invalid'],
  [
    'too many units',
    FOREIGN_1(Array.from({ length: 25_001 }, (_, i) => `<trans-unit id="${i}"/>`).join('')),
    'xliff_invalid',
  ],
];
for (const [name, text, code] of REFUSED) {
  reading(`refuses ${name}`, () => {
    assert.throws(
      () => readXliff(text),
      (error: unknown) => error instanceof XliffError && error.code === code,
    );
  });
}

reading.run();

const identity = suite('xliff identity');
const SECRET = Buffer.alloc(32, 1);
const ORIGIN = { job: 12, post: 3, revision: '0123456789abcdef' };
identity('a file of the site has its revision', () => {
  assert.is(readOriginal(SECRET, toOriginal(SECRET, ORIGIN), ORIGIN), ORIGIN.revision);
});
const good = toOriginal(SECRET, ORIGIN);
const FOREIGN: readonly [string, string, { job: number; post: number }][] = [
  ['another job', good, { job: 13, post: 3 }],
  ['another post', good, { job: 12, post: 4 }],
  ['another site', toOriginal(Buffer.alloc(32, 2), ORIGIN), ORIGIN],
  ['another revision', good.replace('0123', '1123'), ORIGIN],
  ['nothing', '', ORIGIN],
  ['a job id alone', '12', ORIGIN],
  ['other hex', `${good.slice(0, -1)}G`, ORIGIN],
];
for (const [name, original, origin] of FOREIGN)
  identity(`${name} is foreign`, () => {
    assert.is(readOriginal(SECRET, original, origin), null);
  });
identity.run();
