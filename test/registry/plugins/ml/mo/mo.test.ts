import * as fc from 'fast-check';
import { mo as oracle } from 'gettext-parser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MoError,
  readMo,
  writeMo,
  type MoFile,
  type MoMessage,
} from '../../../../../registry/plugins/ml/mo/mo.ts';

const HEADERS = {
  'plural-forms': 'nplurals=2; plural=(n > 1);',
  language: 'fr',
  'content-type': 'text/plain; charset=UTF-8',
};

const MESSAGES: readonly MoMessage[] = [
  { context: '', id: 'Read more', plural: '', translations: ['Lire la suite'] },
  { context: 'menu', id: 'Read more', plural: '', translations: ['Suite'] },
  { context: '', id: '%d post', plural: '%d posts', translations: ['%d article', '%d articles'] },
  { context: '', id: 'Hello', plural: '', translations: ['مرحبا بالعالم'] },
];

const key = (message: MoMessage): string => `${message.context}\u0004${message.id}`;
const sorted = (messages: readonly MoMessage[]): MoMessage[] =>
  [...messages].sort((a, b) => (key(a) < key(b) ? -1 : 1));

function toOracle(file: MoFile): Parameters<typeof oracle.compile>[0] {
  const translations: Record<
    string,
    Record<string, { msgctxt?: string; msgid: string; msgid_plural?: string; msgstr: string[] }>
  > = {};
  for (const { context, id, plural, translations: msgstr } of file.messages) {
    (translations[context] ??= {})[id] = {
      msgid: id,
      msgstr: [...msgstr],
      ...(context === '' ? {} : { msgctxt: context }),
      ...(plural === '' ? {} : { msgid_plural: plural }),
    };
  }
  return {
    charset: 'utf-8',
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Plural-Forms': HEADERS['plural-forms'] },
    translations,
  };
}

const writing = suite('writeMo');
writing('gettext-parser reads what we write', () => {
  const { translations, headers } = oracle.parse(writeMo({ headers: HEADERS, messages: MESSAGES }));
  assert.equal(headers['Plural-Forms'], HEADERS['plural-forms']);
  for (const { context, id, plural, translations: expected } of MESSAGES) {
    const found = translations[context]?.[id];
    assert.equal(found?.msgstr, expected);
    assert.is(found?.msgid_plural ?? '', plural);
  }
});
writing('our reader returns what we write', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((value) => !value.includes('\u0000') && !value.includes('\u0004'));
  const message = fc.record(
    {
      context: text,
      id: text.filter((id) => id !== ''),
      plural: text,
      translations: fc.array(text, { minLength: 1, maxLength: 4 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.uniqueArray(message, { selector: key, maxLength: 20 }), (messages) => {
      assert.equal(sorted(readMo(writeMo({ headers: HEADERS, messages })).messages), sorted(messages));
    }),
    { numRuns: 200 },
  );
});
writing('separators inside a text do not create new texts', () => {
  const { messages } = readMo(
    writeMo({
      headers: {},
      messages: [{ context: 'a\u0004b', id: 'c\u0000d', plural: '', translations: ['e\u0000f'] }],
    }),
  );
  assert.equal(messages, [{ context: 'ab', id: 'cd', plural: '', translations: ['ef'] }]);
});
writing('a message without text does not replace the header', () => {
  const file = readMo(
    writeMo({ headers: HEADERS, messages: [{ context: '', id: '', plural: '', translations: ['x'] }] }),
  );
  assert.is(file.headers['language'], 'fr');
});
writing.run();

const reading = suite('readMo');
for (const endian of ['be', 'le'] as const) {
  reading(`reads what gettext-parser writes (${endian})`, () => {
    const { messages, headers } = readMo(
      oracle.compile(toOracle({ headers: HEADERS, messages: MESSAGES }), { endian }),
    );
    assert.equal(sorted(messages), sorted(MESSAGES));
    assert.is(headers['plural-forms'], HEADERS['plural-forms']);
  });
}
reading('reads other charsets', () => {
  const bytes = Buffer.from(
    writeMo({ headers: {}, messages: [{ context: '', id: 'a', plural: '', translations: ['_x_'] }] }),
  );
  bytes.write('l1   ', bytes.indexOf('UTF-8'));
  bytes[bytes.indexOf('_x_') + 1] = 0xe9;
  assert.is(readMo(bytes).messages[0]?.translations[0], '_é_');
});

const good = (): Buffer => Buffer.from(writeMo({ headers: {}, messages: [...MESSAGES] }));
const edit = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = good();
  change(bytes);
  return bytes;
};
const BAD: readonly [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['a text', Buffer.from('msgid "a"\nmsgstr "b"\nand a little more text')],
  ['cut in the header', good().subarray(0, 20)],
  ['cut in the texts', good().subarray(0, -20)],
  ['version 9', edit((bytes) => bytes.writeUInt32LE(9 << 16, 4))],
  ['four billion texts', edit((bytes) => bytes.writeUInt32LE(0xffffffff, 8))],
  ['table outside', edit((bytes) => bytes.writeUInt32LE(0x7fffffff, 12))],
  ['text outside', edit((bytes) => bytes.writeUInt32LE(0x7fffffff, 28 + 12))],
  [
    'invalid UTF-8',
    edit((bytes) => {
      bytes[bytes.length - 3] = 0xff;
    }),
  ],
  [
    'unknown charset',
    edit((bytes) => {
      bytes.write('UTX-8', bytes.indexOf('UTF-8'));
    }),
  ],
];
for (const [name, bytes] of BAD)
  reading(`refuses ${name}`, () => {
    assert.throws(
      () => readMo(bytes),
      (error: unknown) => error instanceof MoError,
    );
  });
reading('refuses overlapping texts', () => {
  const bytes = Buffer.alloc(28 + 2 * 8 * 100 + 1000, 'x');
  [0x950412de, 0, 100, 28, 28 + 800, 0, 0].forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  for (let index = 0; index < 200; index += 1) {
    bytes.writeUInt32LE(1000, 28 + index * 8);
    bytes.writeUInt32LE(1628, 28 + index * 8 + 4);
  }
  assert.throws(
    () => readMo(bytes),
    (error: unknown) => error instanceof MoError,
  );
});
reading('any bytes result in a file or a MoError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(200), (noise, at) => {
      const bytes = good();
      bytes.set(noise, Math.min(at, bytes.length - noise.length));
      try {
        readMo(bytes);
      } catch (error) {
        assert.instance(error, MoError);
      }
    }),
    { numRuns: 500 },
  );
});
reading.run();
