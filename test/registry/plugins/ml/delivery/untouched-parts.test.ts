import * as fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { ANONYMOUS } from '../../../../../lib/core/identity.ts';
import { cleanTargets } from '../../../../../registry/plugins/ml/delivery/clean-texts.ts';
import type { JobField } from '../../../../../registry/plugins/ml/records/job-texts.ts';
import { joinJob, joinTexts, segmentFields } from '../../../../../registry/plugins/ml/segments/split-text.ts';
import { listAdded } from '../../../../support/added-markup.ts';
import { countRuns } from '../../../../support/long-mode.ts';
import { hostileMarkup } from '../../../../support/markup-arbitraries.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  readTranslation,
  toReports,
  translateXliff,
} from '../ml-site.ts';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment;

/** Elements whose content is not the HTML around them. */
const CLOSED = new Set([
  'frameset',
  'iframe',
  'listing',
  'math',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'plaintext',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
  'title',
  'xmp',
]);

/** Whether a browser reads markup behind this text as markup of the page. */
function canBeCut(text: string): boolean {
  const find = (node: Node): boolean => {
    if ('tagName' in node && node.tagName === 'x-cut') return true;
    if ('tagName' in node && CLOSED.has(node.tagName)) return false;
    return 'childNodes' in node && node.childNodes.some(find);
  };
  return !text.endsWith('<') && find(parseFragment(`${text}<x-cut>`));
}

/** An element of `CLOSED` that is not closed reaches to the end of the text, although browsers end some of them before. */
const leavesOpen = (text: string): boolean =>
  [...CLOSED].some(
    (name) => text.toLowerCase().split(`<${name}`).length > text.toLowerCase().split(`</${name}`).length,
  );

/** Markup that the sanitiser would change, or that programs read in different ways. */
const ODD = [
  '<![CDATA[ a ]]>',
  '<?php echo 1 ?>',
  '<!foo>',
  '<!-- x --!>',
  '</3>',
  'I <3 you',
  'a < b',
  '<p/onclick=go()>',
  "<a href='x'title=y>",
  '</div>',
  '<B CLASS=x>',
  '<form action=/x>',
  '<div><b>',
];
const isSound = (text: string): boolean => canBeCut(text) && !leavesOpen(text);
const inner = fc.oneof(
  { weight: 4, arbitrary: hostileMarkup.filter(isSound) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD) },
  hostileMarkup,
);

/** Sources of several paragraphs, and for each of them a translation or null. */
const texts = fc.array(fc.tuple(inner, fc.oneof(fc.constant(null), fc.constant('Bonjour '), hostileMarkup)), {
  minLength: 2,
  maxLength: 5,
});
const toBody = (parts: readonly (readonly [string, unknown])[], isBlock: boolean): string =>
  parts
    .map(([inner]) =>
      isBlock
        ? `<!-- cms:paragraph -->\n<p>Hello ${inner}</p>\n<!-- /cms:paragraph -->`
        : `<p>Hello ${inner}</p>`,
    )
    .join('\n\n');

function apply(body: string, choose: (index: number, source: string) => string | null) {
  const fields = runSteps(segmentFields([{ id: 'body', label: '', source: body }]));
  const chosen = fields.map((field, index) => choose(index, field.source));
  const targets = Object.fromEntries(
    fields.map(({ id, source }, index) => [
      id,
      { text: chosen[index] ?? source, state: 'translated' as const },
    ]),
  );
  const { texts: cleaned } = runSteps(cleanTargets(joinJob({ fields, targets }), ANONYMOUS));
  return { fields, chosen, result: cleaned.get('body') ?? '' };
}

/** What must stay: each stretch between two translated segments. */
function toStretches(fields: readonly JobField[], chosen: readonly (string | null)[]): readonly string[] {
  const stretches = [''];
  for (const [index, field] of fields.entries()) {
    const isKept = (chosen[index] ?? null) === null;
    stretches[stretches.length - 1] += (field.before ?? '') + (isKept ? field.source : '');
    if (!isKept) stretches.push('');
    stretches[stretches.length - 1] += field.after ?? '';
  }
  return stretches;
}

/** Whether a text is these stretches with anything between them. */
function holds(text: string, stretches: readonly string[]): boolean {
  const first = stretches[0] ?? '';
  const last = stretches.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const each of stretches.slice(1, -1)) {
    const found = text.indexOf(each, at);
    if (found === -1) return false;
    at = found + each.length;
  }
  return at <= text.length - last.length || stretches.length === 1;
}

const parts = suite('segments that are handed back untouched');

for (const isBlock of [true, false]) {
  parts(
    `and what lies between stay byte for byte, whatever the others become (${isBlock ? 'blocks' : 'classic'})`,
    () => {
      let checked = 0;
      fc.assert(
        fc.property(texts, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (given, touched) => {
          const body = toBody(given, isBlock);
          const { fields, chosen, result } = apply(body, (index, source) => {
            const target = given[index % given.length]?.[1] ?? null;
            return touched[index % 12] !== true || target === null
              ? null
              : target === 'Bonjour '
                ? target + source
                : `Bonjour ${target}`;
          });
          if (fields.length < 2) return;
          let offset = 0;
          const cuts = fields.flatMap(({ before = '', source }) => [
            (offset += before.length),
            (offset += source.length),
          ]);
          assert.is(
            joinTexts(fields, ({ source }) => source),
            body,
          );
          if (result !== body)
            assert.equal(listAdded(body, result), [], JSON.stringify([body, chosen, result]));
          if (leavesOpen(body) || !cuts.every((cut) => canBeCut(body.slice(0, cut)))) return;
          checked += 1;
          assert.ok(holds(result, toStretches(fields, chosen)), JSON.stringify([body, chosen, result]));
        }),
        { numRuns: countRuns(400, 20_000) },
      );
      assert.ok(checked > 15, `${checked} texts could be cut`);
    },
  );
}

for (const odd of ODD) {
  parts(`keep ${odd} over the routes, and so does the segment beside it`, async () => {
    const site = await createMlSite();
    const untouched = `<!-- cms:paragraph -->\n<p>Kept ${odd} text</p>\n<!-- /cms:paragraph -->`;
    const content = `${untouched}\n\n${odd}\n\n<!-- cms:paragraph -->\n<p>Hello</p>\n<!-- /cms:paragraph -->\n\n${untouched}`;
    await site.ports.store.commit([{ op: 'update', collection: 'posts', id: 107, values: { content } }]);
    const job = await createJob(site, 107, { translator_id: 4 });
    const xliff = translateXliff(await fetchFile(site, job), (_id, source) =>
      source.replace('Hello', 'Bonjour'),
    );
    assert.is(
      checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200).body,
      true,
    );
    checkStatus(
      await site.ask('anna', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
      200,
    );
    assert.is((await readTranslation(site, 107)).content.raw, content.replace('Hello', 'Bonjour'));
  });
}

const applied = (body: string, choose: (source: string) => string): string =>
  apply(body, (_index, source) => (choose(source) === source ? null : choose(source))).result;
parts('keep their container, although a translator closes it or leaves out its tag', () => {
  const body = '<div title="Some words"><p>One</p><p>Two</p></div>';
  assert.is(
    applied(body, (source) => source.replace('One', 'Un</p></div></section>')),
    '<div title="Some words"><p>Un</p><p>Two</p></div>',
  );
  assert.is(
    applied(body, (source) => source.replace('<div title="Some words">', 'Un').replace('One', '<div>Un')),
    'Un<div><p><div>Un</div><p>Two</p></div>',
  );
});
parts('do not let a translated one end inside of their markup', () => {
  const body = '<p>One <b title="x</p>\n\n<p>Two</p>';
  const result = applied(body, (source) => source.replace('Two', '" onclick="go()"><script>x</script>'));
  assert.not.match(result, /onclick|<script/);
});
parts('do not begin a tag with a lone < before a translated one', () => {
  const result = applied('<p>One</p> <<pre title="Two words">x</pre>', (source) =>
    source.replace('<pre title="Two words">', 'img src=x onerror="go()">'),
  );
  assert.not.match(result, /<img[^>]*onerror/, result);
});
parts.run();
