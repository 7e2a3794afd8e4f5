import { mo as oracle } from 'gettext-parser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eq } from '../../../../../lib/store/query.ts';
import type { Ports } from '../../../../../registry/core/host/ports.ts';
import { takeLock } from '../../../../../registry/core/limits/locks.ts';
import { generateMoFiles } from '../../../../../registry/plugins/ml/mo/mo-generate.ts';
import { importMoStrings } from '../../../../../registry/plugins/ml/mo/mo-import.ts';
import { readMo, writeMo, type MoMessage } from '../../../../../registry/plugins/ml/mo/mo.ts';
import { pluralForms } from '../../../../../registry/plugins/ml/mo/plural-forms.ts';
import { mlError } from '../../../../../registry/plugins/ml/records/errors.ts';
import { createMemoryFiles } from '../../../../support/memory-files.ts';
import { createTestPorts } from '../../../../support/ports.ts';
import { rejects } from '../../../../support/rejects.ts';

const NONE = { plugins: [], themes: [], other: [] };
const toMo = (messages: readonly MoMessage[]): Uint8Array => writeMo({ headers: {}, messages });
const message = (id: string, text: string): MoMessage => ({
  context: '',
  id,
  plural: '',
  translations: [text],
});
const MESSAGES: readonly MoMessage[] = [
  message('Cart', 'Panier'),
  { context: 'menu', id: 'Cart', plural: '', translations: ['Mon panier'] },
  { context: '', id: '%d item', plural: '%d items', translations: ['%d article', '%d articles'] },
  message('Untranslated', ''),
];

const FILES = {
  'plugins/shop/languages/shop-fr_FR.mo': toMo(MESSAGES),
  'plugins/shop/languages/shop-nl_NL.mo': toMo([message('Cart', 'Winkelwagen')]),
  'plugins/shopping/shopping-fr_FR.mo': toMo([message('x', 'y')]),
  'themes/plain/fr_FR.mo': toMo([message('Home', 'Accueil')]),
  'plugins/shop/readme.txt': Buffer.from('no'),
  'plugins/broken/broken-fr_FR.mo': Buffer.from('this is not a .mo file'),
};

const countStrings = async ({ store }: Ports): Promise<number> =>
  (await store.find({ collection: 'ml_strings', limit: 1, total: true })).total;

const importing = suite('importMoStrings');
importing('reads the files of the named components only', async () => {
  const ports = createTestPorts({ files: createMemoryFiles(FILES) });
  const { total, remaining } = await importMoStrings(ports, { ...NONE, plugins: ['shop'] });
  assert.equal({ total, remaining }, { total: 2, remaining: 0 });
  assert.is(await countStrings(ports), 3);
  const { records } = await ports.store.find({
    collection: 'ml_strings',
    order: [{ field: 'id', direction: 'asc' }],
  });
  assert.equal(
    records.find((record) => record['msgid'] === 'Cart' && record['context'] === '')?.['translations'],
    { fr_FR: ['Panier'], nl_NL: ['Winkelwagen'] },
  );
  assert.equal(
    records.map((record) => record['domain']),
    ['shop', 'shop', 'shop'],
  );
});
importing('the domain of a theme is its name', async () => {
  const ports = createTestPorts({ files: createMemoryFiles(FILES) });
  await importMoStrings(ports, { ...NONE, themes: ['plain'] });
  assert.equal(
    (await ports.store.find({ collection: 'ml_strings' })).records.map((record) => record['domain']),
    ['plain'],
  );
});
importing('does nothing when no component is named', async () => {
  const ports = createTestPorts({ files: createMemoryFiles(FILES) });
  assert.is((await importMoStrings(ports, NONE)).total, 0);
  assert.is(await countStrings(ports), 0);
});
importing('does nothing without directories', async () => {
  assert.is((await importMoStrings(createTestPorts(), { ...NONE, plugins: ['shop'] })).total, 0);
});
importing('a broken file is skipped and logged', async () => {
  const events: string[] = [];
  const ports = createTestPorts({
    files: createMemoryFiles(FILES),
    log: (event) => {
      events.push(event.message);
    },
  });
  const { total, remaining } = await importMoStrings(ports, { ...NONE, plugins: ['broken'] });
  assert.equal({ total, remaining, events: events.length }, { total: 1, remaining: 0, events: 1 });
});
importing('a second call reads only changed files', async () => {
  const files = createMemoryFiles(FILES);
  const ports = createTestPorts({ files });
  await importMoStrings(ports, { ...NONE, plugins: ['shop'] });
  assert.is((await importMoStrings(ports, { ...NONE, plugins: ['shop'] })).total, 0);
  files.locales.set('plugins/shop/languages/shop-nl_NL.mo', toMo([message('Cart', 'Mandje')]));
  assert.is((await importMoStrings(ports, { ...NONE, plugins: ['shop'] })).total, 1);
  const { records } = await ports.store.find({
    collection: 'ml_strings',
    where: { op: 'and', of: [eq('msgid', 'Cart'), eq('context', '')] },
  });
  assert.equal(records[0]?.['translations'], { fr_FR: ['Panier'], nl_NL: ['Mandje'] });
});
importing('continues where the last call stopped', async () => {
  const many = Array.from({ length: 20_600 }, (_, index) => message(`id ${index}`, `text ${index}`));
  const ports = createTestPorts({ files: createMemoryFiles({ 'other/big/big-fr_FR.mo': toMo(many) }) });
  const first = await importMoStrings(ports, { ...NONE, other: ['big'] });
  assert.equal([first.total, first.remaining, await countStrings(ports)], [1, 1, 20_000]);
  const second = await importMoStrings(ports, { ...NONE, other: ['big'] });
  assert.equal([second.total, second.remaining, await countStrings(ports)], [1, 0, 20_600]);
});
importing('nothing is imported twice while another import is running', async () => {
  const ports = createTestPorts({ files: createMemoryFiles(FILES) });
  await takeLock(ports, 'ml.import');
  await importMoStrings(ports, { ...NONE, plugins: ['shop'] });
  assert.is(await countStrings(ports), 0);
});
importing.run();

const generating = suite('generateMoFiles');
generating('writes files that gettext-parser reads', async () => {
  const files = createMemoryFiles(FILES);
  const ports = createTestPorts({ files });
  await importMoStrings(ports, { plugins: ['shop'], themes: ['plain'], other: [] });
  assert.equal(await generateMoFiles(ports), { remaining: 0 });
  assert.equal([...files.output.keys()].sort(), ['plain-fr_FR.mo', 'shop-fr_FR.mo', 'shop-nl_NL.mo']);
  const { translations, headers } = oracle.parse(files.output.get('shop-fr_FR.mo') ?? new Uint8Array());
  assert.equal(translations['']?.['%d item']?.msgstr, ['%d article', '%d articles']);
  assert.equal(translations['menu']?.['Cart']?.msgstr, ['Mon panier']);
  assert.is(headers['Plural-Forms'], pluralForms('fr_FR'));
});
generating('without directories the files are kept in the store', async () => {
  const ports = createTestPorts({ files: createMemoryFiles(FILES) });
  await importMoStrings(ports, { ...NONE, themes: ['plain'] });
  const { files: _files, ...bare } = ports;
  await generateMoFiles(bare);
  await generateMoFiles(bare);
  const { records } = await ports.store.find({ collection: 'ml_mo_output' });
  assert.equal(
    records.map((record) => record['name']),
    ['plain-fr_FR.mo'],
  );
  assert.is(
    readMo(Buffer.from(String(records[0]?.['bytes']), 'base64')).messages[0]?.translations[0],
    'Accueil',
  );
});
generating('writes twenty files per call, then starts again', async () => {
  const locales = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`other/d${index}/fr_FR.mo`, toMo([message('a', 'b')])]),
  );
  const files = createMemoryFiles(locales);
  const ports = createTestPorts({ files });
  await importMoStrings(ports, { ...NONE, other: Array.from({ length: 25 }, (_, index) => `d${index}`) });
  assert.equal(await generateMoFiles(ports), { remaining: 5 });
  assert.equal(await generateMoFiles(ports), { remaining: 0 });
  assert.is(files.output.size, 25);
  files.output.clear();
  await generateMoFiles(ports);
  assert.is(files.output.size, 20);
});
generating('a directory that is not writable', async () => {
  const files = createMemoryFiles(FILES);
  const ports = createTestPorts({
    files: {
      ...files,
      write: async () => {
        throw new Error('EACCES');
      },
    },
  });
  await importMoStrings(ports, { ...NONE, themes: ['plain'] });
  const error = await rejects(generateMoFiles(ports), 'mo_dir_not_writable');
  assert.is(error.status, mlError('mo_dir_not_writable').status);
});
generating('runs once at a time', async () => {
  const ports = createTestPorts();
  await takeLock(ports, 'ml.generate');
  await rejects(generateMoFiles(ports), 'locked');
});
generating.run();
