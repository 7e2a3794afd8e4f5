// Runs alone: texts of several megabytes need the memory of a process.
// A text of 5 MB is compared, cleaned, linked and cut in slices: the longest turn is a small part of the whole time.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPause } from '../../../../lib/core/pause.ts';
import { runInTurns, runSteps, type Steps } from '../../../../lib/core/steps.ts';
import { ANONYMOUS } from '../../../../lib/core/identity.ts';
import { rewriteLinks } from '../../../../registry/content/rewrite-links.ts';
import { cleanTargets } from '../../../../registry/ml/delivery/clean-texts.ts';
import { warnOfTags, warnOfTerms } from '../../../../registry/ml/delivery/delivery-warnings.ts';
import { listLosses } from '../../../../registry/ml/delivery/losses.ts';
import { createTermFinder } from '../../../../registry/ml/glossary/find-terms.ts';
import { segmentFields } from '../../../../registry/ml/segments/segment-fields.ts';
import { splitText } from '../../../../registry/ml/segments/split-text.ts';
import { processorTime } from '../../../support/processor-time.ts';
import { watchTurns } from '../../../support/turns.ts';

const toLine = (index: number): string => `<p>Line ${index} with <b>bold</b>, %s, [gallery ids="${index}"] and <a href="/en/post-107/">a link</a>.</p>\n`;
const SOURCE = Array.from({ length: 50_000 }, (_each, index) => toLine(index)).join('');
const TARGET = SOURCE.replaceAll('Line', 'Ligne').replaceAll('<b>', '<b class="new" onclick="x">');
const FIELD = { id: 'body', label: '', source: SOURCE };

/** Many terms that begin with the same word. Those of a finder that compares each of them with each word would take minutes. */
const GLOSSARY = createTermFinder(Array.from({ length: 5000 }, (_each, index) => ({ term: `Line ${index} x`, translation: null, caseSensitive: false, note: '' })).concat({ term: 'Line 7 with', translation: null, caseSensitive: false, note: '' }));

const WORK: Readonly<Record<string, () => Steps<unknown>>> = {
  cleanTargets: () => cleanTargets({ fields: [FIELD], targets: { body: { text: TARGET, state: 'translated' } } }, ANONYMOUS),
  rewriteLinks: () => rewriteLinks(TARGET, ({ written }) => written.replace('/en/', '/fr/')),
  splitText: () => splitText(SOURCE),
  segmentFields: () => segmentFields([FIELD]),
  listLosses: () => listLosses(SOURCE, TARGET, () => false),
  warnOfTags: () => warnOfTags(FIELD, TARGET),
  warnOfTerms: () => warnOfTerms(FIELD, TARGET, GLOSSARY),
};

/** A turn is at most this part of the work in one turn. */
const SHARE = 0.35;
const ATTEMPTS = 3;

async function measure(work: () => Steps<unknown>): Promise<number> {
  const whole = await processorTime(() => runSteps(work()));
  const turns = watchTurns();
  await runInTurns(work(), createPause());
  return turns.stop() / whole;
}

const long = suite('a text of 5 MB');
for (const [name, work] of Object.entries(WORK)) {
  long(`${name} gives others a turn`, async () => {
    let share = await measure(work);
    for (let attempt = 1; attempt < ATTEMPTS && share > SHARE; attempt += 1) share = Math.min(share, await measure(work));
    assert.ok(share <= SHARE, `the longest turn was ${(share * 100).toFixed(0)} % of the whole`);
  });
}
long('the result is the same in one turn and in many', async () => {
  assert.ok(SOURCE.length > 4_500_000);
  for (const work of [WORK['cleanTargets'], WORK['splitText'], WORK['rewriteLinks']]) if (work !== undefined) assert.equal(await runInTurns(work(), createPause()), runSteps(work()));
});
long.run();
