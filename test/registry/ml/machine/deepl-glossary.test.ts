import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findDeeplGlossary } from '../../../../registry/ml/machine/deepl-glossary.ts';
import { withMachine } from './machine-server.ts';

const PAIR = { source: 'en', target: 'pt' };
const toTerms = (translation: string) => [{ term: 'house', translation, caseSensitive: false, note: '' }];

const glossary = suite('findDeeplGlossary');
glossary('leaves the glossaries of other variants of a language alone', async () => {
  await withMachine('deepl', async ({ upstream, glossaries }) => {
    const find = (target: string, translation: string) => findDeeplGlossary({ upstream, secret: new Uint8Array(32) }, { languages: { source: 'en', target }, pair: PAIR, terms: toTerms(translation) });
    const ids = [await find('pt-br', 'casa'), await find('pt-pt', 'moradia'), await find('pt', 'lar')];
    assert.equal([...glossaries.keys()], ids);
    assert.equal([await find('pt-br', 'casa'), await find('pt', 'lar')], [ids[0], ids[2]]);
    await find('pt', 'habitação');
    assert.equal([...glossaries.values()].map(({ entries }) => entries.get('house')), ['casa', 'moradia', 'habitação']);
  });
});
glossary('may find that another process has removed the one before', async () => {
  await withMachine('deepl', async ({ upstream, glossaries }) => {
    const find = (translation: string) => findDeeplGlossary({ upstream, secret: new Uint8Array(32) }, { languages: PAIR, pair: PAIR, terms: toTerms(translation) });
    await find('casa');
    const found = await Promise.all([find('lar'), find('lar')]);
    assert.ok(found.every((id) => id !== null && glossaries.has(id)));
  });
});
glossary.run();
