import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../../../lib/core/errors.ts';
import { readDelivery } from '../../../../../registry/plugins/ml/delivery/deliver.ts';
import { type Job, toJob } from '../../../../../registry/plugins/ml/records/job-record.ts';
import { validateXmlConfig } from '../../../../../registry/plugins/ml/records/xml-config.ts';
import {
  toOriginal,
  writeXliff,
  XLIFF_VERSIONS,
  type XliffVersion,
} from '../../../../../registry/plugins/ml/xliff/xliff-write.ts';

const SECRET = new Uint8Array(32).fill(7);
const REVISION = '0123456789abcdef';
const FIELDS = [
  { id: 'title', label: 'Title', source: 'Hello' },
  { id: 'body', label: 'Content', source: '<p>World ]]> &amp;</p>' },
];

const JOB: Job = toJob({
  id: 7,
  version: 1,
  type: 'post',
  post: 3,
  post_type: 'post',
  source: 'en',
  target: 'fr',
  revision: REVISION,
  fields: FIELDS,
  targets: {},
});

function toFile(
  version: XliffVersion,
  original = toOriginal(SECRET, { job: 7, post: 3, revision: REVISION }),
): string {
  const units = FIELDS.map(({ id, label, source }) => ({
    id,
    label,
    source,
    target: `${source} fr`,
    state: 'translated' as const,
  }));
  return writeXliff(
    { original, source: 'en', target: 'fr', reference: 'https://example.org/a', notes: ['n'], units },
    version,
  );
}

const codeFor = async (bytes: Uint8Array | string): Promise<string> => {
  try {
    await readDelivery(SECRET, JOB, { bytes: Buffer.from(bytes), unfiltered: false });
    return 'taken';
  } catch (error) {
    if (error instanceof RestError) return error.code;
    throw error;
  }
};

const delivery = suite('readDelivery');
for (const version of XLIFF_VERSIONS) {
  delivery(`${version}: is accepted`, async () => {
    const { targets, stale } = await readDelivery(SECRET, JOB, {
      bytes: Buffer.from(toFile(version)),
      unfiltered: false,
    });
    assert.equal(
      [targets['body'], stale],
      [{ text: '<p>World ]]> &amp;</p> fr', state: 'translated' }, false],
    );
  });
  delivery(`${version}: with a byte order mark, in UTF-8 and UTF-16`, async () => {
    assert.is(await codeFor(`\uFEFF${toFile(version)}`), 'taken');
    assert.is(
      await codeFor(
        Buffer.from(`\uFEFF${toFile(version).replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le'),
      ),
      'taken',
    );
  });
  delivery(
    `${version}: with random bytes in it is accepted or rejected with an error of its own`,
    async () => {
      const good = Buffer.from(toFile(version));
      const change = fc.record({
        at: fc.nat(good.length),
        remove: fc.nat(40),
        insert: fc.oneof(
          fc.uint8Array({ maxLength: 12 }),
          fc
            .constantFrom('<', '>', '&', ']]>', '<!--', '<target>', '</file>', '\u0000')
            .map((text) => Buffer.from(text)),
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const bytes = changes.reduce(
            (text: Buffer, { at, remove, insert }) =>
              Buffer.concat([text.subarray(0, at), insert, text.subarray(at + remove)]),
            good,
          );
          assert.ok(
            ['taken', 'not_xml_file', 'xliff_invalid', 'xliff_does_not_match'].includes(await codeFor(bytes)),
          );
        }),
        { numRuns: 300 },
      );
    },
  );
}
delivery('a file of an older revision may lack units, and is stale', async () => {
  const original = toOriginal(SECRET, { job: 7, post: 3, revision: 'fedcba9876543210' });
  const file = toFile('1.2', original).replace(/<trans-unit id="body"[\s\S]*?<\/trans-unit>/, '');
  assert.is((await readDelivery(SECRET, JOB, { bytes: Buffer.from(file), unfiltered: false })).stale, true);
  assert.is(
    await codeFor(toFile('1.2').replace(/<trans-unit id="body"[\s\S]*?<\/trans-unit>/, '')),
    'xliff_invalid',
  );
});
delivery('names of inherited properties are not fields', async () => {
  for (const id of ['constructor', '__proto__', 'toString']) {
    const file = toFile('1.2').replace(
      '<body>',
      `<body><trans-unit id="${id}"><target>x</target></trans-unit>`,
    );
    assert.equal(
      Object.keys((await readDelivery(SECRET, JOB, { bytes: Buffer.from(file), unfiltered: false })).targets),
      ['title', 'body'],
    );
  }
});
delivery.run();

const config = suite('configurations');
config('any text is validated without an exception', () => {
  const piece = fc.constantFrom(
    '<wpml-config>',
    '</wpml-config>',
    '<custom-fields>',
    '</custom-fields>',
    '<custom-field action="copy">',
    '</custom-field>',
    '<key name="a">',
    '</key>',
    '&',
    ']]>',
    '<!DOCTYPE a>',
    'x',
    ' ',
    '"',
    '<__proto__/>',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 }), (pieces) => {
      assert.ok(Array.isArray(validateXmlConfig(pieces.join(''))));
    }),
    { numRuns: 500 },
  );
});
config.run();
