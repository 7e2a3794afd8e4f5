import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPause, runInTurns, runSteps, type Steps } from '../../../../../lib/core/cooperative.ts';
import { ANONYMOUS } from '../../../../../lib/core/identity.ts';
import { rewriteLinks } from '../../../../../registry/core/content/html/rewrite-links.ts';
import { cleanTargets } from '../../../../../registry/plugins/ml/delivery/clean-texts.ts';
import { createTermFinder } from '../../../../../registry/plugins/ml/glossary/glossary.ts';
import { warnOfTags, warnOfTerms } from '../../../../../registry/plugins/ml/segments/delivery-warnings.ts';
import { listLosses } from '../../../../../registry/plugins/ml/segments/losses.ts';
import { segmentFields, splitText } from '../../../../../registry/plugins/ml/segments/split-text.ts';
import { isAll } from '../../../../support/long-mode.ts';

// A text of 1 MB is compared, cleaned, linked and cut in slices: the longest of them is a small part of the whole.
const toLine = (index: number): string =>
  `<p>Line ${index} with <b>bold</b>, %s, [gallery ids="${index}"] and <a href="/en/post-107/">a link</a>.</p>\n`;
const SOURCE = Array.from({ length: 10_000 }, (_each, index) => toLine(index)).join('');
const TARGET = SOURCE.replaceAll('Line', 'Ligne').replaceAll('<b>', '<b class="new" onclick="x">');
const FIELD = { id: 'body', label: '', source: SOURCE };

/** Many terms that begin with the same word. Those of a finder that compares each of them with each word would take minutes. */
const GLOSSARY = createTermFinder(
  Array.from({ length: 5000 }, (_each, index) => ({
    term: `Line ${index} x`,
    translation: null,
    caseSensitive: false,
    note: '',
  })).concat({ term: 'Line 7 with', translation: null, caseSensitive: false, note: '' }),
);

const WORK: Readonly<Record<string, () => Steps<unknown>>> = {
  cleanTargets: () =>
    cleanTargets({ fields: [FIELD], targets: { body: { text: TARGET, state: 'translated' } } }, ANONYMOUS),
  rewriteLinks: () => rewriteLinks(TARGET, ({ written }) => written.replace('/en/', '/fr/')),
  splitText: () => splitText(SOURCE),
  segmentFields: () => segmentFields([FIELD]),
  listLosses: () => listLosses(SOURCE, TARGET, () => false),
  warnOfTags: () => warnOfTags(FIELD, TARGET),
  warnOfTerms: () => warnOfTerms(FIELD, TARGET, GLOSSARY),
};

/** The work between two places where others may have a turn is at most this part of the whole. Terms are looked for in a plain text, which is made at once. */
const SHARE = 0.6;
const ATTEMPTS = 3;

/** The longest step as a part of the whole, in time of the processor. */
function measure(work: () => Steps<unknown>): number {
  let [whole, longest] = [0, 0];
  const steps = work();
  for (let isDone = false; !isDone;) {
    const before = process.cpuUsage();
    isDone = steps.next().done === true;
    const { user, system } = process.cpuUsage(before);
    whole += user + system;
    longest = Math.max(longest, user + system);
  }
  return longest / whole;
}

const long = suite('a text of 1 MB');
// Measured: what `npm test` finds must not depend on the machine.
for (const [name, work] of isAll ? Object.entries(WORK) : []) {
  long(`${name} gives others a turn`, () => {
    let share = measure(work);
    for (let attempt = 1; attempt < ATTEMPTS && share > SHARE; attempt += 1)
      share = Math.min(share, measure(work));
    assert.ok(share <= SHARE, `the longest slice was ${(share * 100).toFixed(0)} % of the whole`);
  });
}
long('the result is the same in one turn and in many', async () => {
  assert.ok(SOURCE.length > 900_000);
  for (const work of [WORK['cleanTargets'], WORK['splitText'], WORK['rewriteLinks']])
    if (work !== undefined) assert.equal(await runInTurns(work(), createPause()), runSteps(work()));
});
long.run();
