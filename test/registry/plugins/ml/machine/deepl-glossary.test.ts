import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findDeeplGlossary } from '../../../../../registry/plugins/ml/machine/deepl.ts';
import { withMachine } from './machine-server.ts';

const PAIR = { source: 'en', target: 'pt' };
const toTerms = (translation: string) => [{ term: 'house', translation, caseSensitive: false, note: '' }];

const glossary = suite('findDeeplGlossary');
glossary('leaves the glossaries of other variants of a language alone', async () => {
  await withMachine('deepl', async ({ upstream, glossaries }) => {
    const find = (target: string, translation: string) =>
      findDeeplGlossary(
        { upstream, secret: new Uint8Array(32) },
        { languages: { source: 'en', target }, pair: PAIR, terms: toTerms(translation) },
      );
    const ids = [await find('pt-br', 'casa'), await find('pt-pt', 'moradia'), await find('pt', 'lar')];
    assert.equal([...glossaries.keys()], ids);
    assert.equal([await find('pt-br', 'casa'), await find('pt', 'lar')], [ids[0], ids[2]]);
    await find('pt', 'habitação');
    assert.equal(
      [...glossaries.values()].map(({ entries }) => entries.get('house')),
      ['casa', 'moradia', 'habitação'],
    );
  });
});
glossary('may find that another process has removed the one before', async () => {
  await withMachine('deepl', async ({ upstream, glossaries }) => {
    const find = (translation: string) =>
      findDeeplGlossary(
        { upstream, secret: new Uint8Array(32) },
        { languages: PAIR, pair: PAIR, terms: toTerms(translation) },
      );
    await find('casa');
    const found = await Promise.all([find('lar'), find('lar')]);
    assert.ok(found.every((id) => id !== null && glossaries.has(id)));
  });
});
glossary('is the same one for jobs that make it at the same moment', async () => {
  await withMachine('deepl', async ({ upstream, glossaries }) => {
    // Nobody lists again before both have made one.
    const made: (() => void)[] = [];
    const meet: Pick<typeof upstream, 'request'> = {
      async request(service, request) {
        const answer = await upstream.request(service, request);
        if (request.method !== 'POST') return answer;
        const both = new Promise<void>((resolve) => {
          made.push(resolve);
        });
        if (made.length === 2) for (const resolve of made) resolve();
        await both;
        return answer;
      },
    };
    const find = () =>
      findDeeplGlossary(
        { upstream: meet, secret: new Uint8Array(32) },
        { languages: PAIR, pair: PAIR, terms: toTerms('lar') },
      );
    const found = await Promise.all([find(), find()]);
    assert.equal([made.length, ...found], [2, 'gl-1', 'gl-1']);
    assert.equal([...glossaries.keys()], ['gl-1']);
  });
});
glossary.run();
