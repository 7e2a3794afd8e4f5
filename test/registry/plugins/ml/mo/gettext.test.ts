import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generateMoFiles } from '../../../../../registry/plugins/ml/mo/mo-generate.ts';
import { importMoStrings } from '../../../../../registry/plugins/ml/mo/mo-import.ts';
import { readMo, writeMo, type MoMessage } from '../../../../../registry/plugins/ml/mo/mo.ts';
import { PLURAL_RULES } from '../../../../../registry/plugins/ml/mo/plural-forms.ts';
import { createMemoryFiles, type MemoryFiles } from '../../../../support/memory-files.ts';
import { hasTool, runTool, skipTool } from '../../../../support/outside-tool.ts';
import { createTestPorts } from '../../../../support/ports.ts';
import { inFolder } from '../../../../support/temporary.ts';

const SHOP = { plugins: ['shop'], themes: [], other: [] };
const NAME = 'plugins/shop/shop-';

const message = (id: string, text: string): MoMessage => ({
  context: '',
  id,
  plural: '',
  translations: [text],
});
const plural = (...translations: string[]): MoMessage => ({
  context: '',
  id: '%d item',
  plural: '%d items',
  translations,
});
const forms = (count: number): MoMessage =>
  plural(...Array.from({ length: count }, (_, index) => `%d ${index}`));
const toFile = (messages: readonly MoMessage[], header?: string): Uint8Array =>
  writeMo({
    headers:
      header === undefined ? {} : { 'plural-forms': header, 'last-translator': 'Ada <ada@example.org>' },
    messages,
  });

async function generate(files: MemoryFiles): Promise<MemoryFiles> {
  const ports = createTestPorts({ files });
  await importMoStrings(ports, SHOP);
  assert.equal(await generateMoFiles(ports), { remaining: 0 });
  return files;
}

/** The verdict of `msgfmt -c` on the file as `msgunfmt` reads it. `po`: its text. */
const check = (bytes: Uint8Array | undefined): Promise<{ readonly verdict: string; readonly po: string }> =>
  inFolder(async (folder) => {
    const [mo, po] = [join(folder, 'a.mo'), join(folder, 'a.po')];
    writeFileSync(mo, bytes ?? new Uint8Array());
    const unpacked = runTool('msgunfmt', ['--no-wrap', mo]);
    assert.is(unpacked.status, 0, unpacked.text);
    writeFileSync(po, unpacked.text);
    const { text, status } = runTool('msgfmt', ['-c', '-o', '/dev/null', po]);
    return { verdict: `${status} ${text}`, po: unpacked.text };
  });

const THREE = 'nplurals=3; plural=(n==0 || n==1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;';

function test(): void {
  const gettext = suite('generated .mo files in the eyes of gettext');
  gettext('the plural rule of the imported file stays, and so do its headers', async () => {
    const { output } = await generate(
      createMemoryFiles({ [`${NAME}fr_FR.mo`]: toFile([forms(3), message('Cart', 'Panier')], THREE) }),
    );
    const { verdict, po } = await check(output.get('shop-fr_FR.mo'));
    assert.is(verdict, '0 ');
    assert.ok(
      po.includes(`Plural-Forms: ${THREE}`) && po.includes('Last-Translator: Ada <ada@example.org>'),
      po,
    );
  });
  for (const header of [
    'Project-Id-Version',
    'PO-Revision-Date',
    'Last-Translator',
    'Language-Team',
    'Language',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
    'Plural-Forms',
  ]) {
    gettext(`a file has the header ${header}`, async () => {
      const { output } = await generate(
        createMemoryFiles({ [`${NAME}fr_FR.mo`]: toFile([message('Cart', 'Panier')]) }),
      );
      assert.match((await check(output.get('shop-fr_FR.mo'))).po, new RegExp(`"${header}: [^"]+`));
    });
  }
  for (const [conditions, languages] of PLURAL_RULES) {
    const locale = languages.split(' ').find((language) => /^[a-z]{2,3}$/.test(language)) ?? '';
    gettext(
      `a file without a rule gets that of CLDR: ${locale} with ${conditions.length + 1} forms`,
      async () => {
        const { output } = await generate(
          createMemoryFiles({ [`${NAME}${locale}.mo`]: toFile([forms(conditions.length + 1)]) }),
        );
        assert.is((await check(output.get(`shop-${locale}.mo`))).verdict, '0 ');
      },
    );
  }
  const ODD: readonly (readonly [what: string, locale: string, file: Uint8Array])[] = [
    ['French with two forms', 'fr_FR', toFile([forms(2)])],
    ['a text with too few forms', 'pl_PL', toFile([forms(2)])],
    ['a text with too many forms', 'nl_NL', toFile([forms(4)])],
    ['a rule that is not a formula', 'fr_FR', toFile([forms(2)], 'nplurals=INTEGER; plural=EXPRESSION;')],
    ['a rule with a form that does not exist', 'fr_FR', toFile([forms(2)], 'nplurals=2; plural=n;')],
    ['several texts without a plural', 'nl_NL', toFile([{ ...message('a', 'b'), translations: ['b', 'c'] }])],
  ];
  for (const [what, locale, file] of ODD) {
    gettext(what, async () => {
      const { output } = await generate(createMemoryFiles({ [`${NAME}${locale}.mo`]: file }));
      assert.is((await check(output.get(`shop-${locale}.mo`))).verdict, '0 ');
    });
  }
  gettext.run();
}

if (hasTool('msgfmt')) test();
else skipTool('generated .mo files in the eyes of gettext', 'msgfmt');

const removing = suite('strings that were removed from the source');
const idsOf = (bytes: Uint8Array | undefined): readonly string[] =>
  readMo(bytes ?? new Uint8Array())
    .messages.map(({ id }) => id)
    .sort();
removing('disappear from the files, and stay where another file has them', async () => {
  const files = createMemoryFiles({
    [`${NAME}fr_FR.mo`]: toFile([
      message('Cart', 'Panier'),
      message('Old', 'Ancien'),
      message('Both', 'Deux'),
    ]),
    [`${NAME}nl_NL.mo`]: toFile([message('Old', 'Oud')]),
    'plugins/shop/languages/shop-fr_FR.mo': toFile([message('Both', 'Deux')]),
  });
  const ports = createTestPorts({ files });
  await importMoStrings(ports, SHOP);
  files.locales.set(`${NAME}fr_FR.mo`, toFile([message('Cart', 'Panier')]));
  await importMoStrings(ports, SHOP);
  await generateMoFiles(ports);
  assert.equal(idsOf(files.output.get('shop-fr_FR.mo')), ['Both', 'Cart']);
  assert.equal(idsOf(files.output.get('shop-nl_NL.mo')), ['Old']);
});
removing('disappear with their file', async () => {
  const files = createMemoryFiles({
    [`${NAME}fr_FR.mo`]: toFile([message('Cart', 'Panier')]),
    [`${NAME}nl_NL.mo`]: toFile([message('Cart', 'Kar')]),
  });
  const ports = createTestPorts({ files });
  await importMoStrings(ports, SHOP);
  files.locales.delete(`${NAME}fr_FR.mo`);
  await importMoStrings(ports, SHOP);
  await generateMoFiles(ports);
  assert.equal(
    [idsOf(files.output.get('shop-fr_FR.mo')), idsOf(files.output.get('shop-nl_NL.mo'))],
    [[], ['Cart']],
  );
  files.locales.set(`${NAME}fr_FR.mo`, toFile([message('Cart', 'Panier')]));
  await importMoStrings(ports, SHOP);
  await generateMoFiles(ports);
  assert.equal(idsOf(files.output.get('shop-fr_FR.mo')), ['Cart']);
});
removing('stay while a file of the same domain and locale cannot be read', async () => {
  const files = createMemoryFiles({
    [`${NAME}fr_FR.mo`]: toFile([message('Cart', 'Panier'), message('Old', 'Ancien')]),
    'plugins/shop/languages/shop-fr_FR.mo': toFile([message('Old', 'Ancien')]),
  });
  const ports = createTestPorts({ files });
  await importMoStrings(ports, SHOP);
  files.locales.set('plugins/shop/languages/shop-fr_FR.mo', Buffer.from('broken'));
  files.locales.set(`${NAME}fr_FR.mo`, toFile([message('Cart', 'Panier')]));
  await importMoStrings(ports, SHOP);
  await generateMoFiles(ports);
  assert.equal(idsOf(files.output.get('shop-fr_FR.mo')), ['Cart', 'Old']);
});
removing.run();
