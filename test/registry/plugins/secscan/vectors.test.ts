import { array, assert as check, asyncProperty, constantFrom } from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitiseContent } from '../../../../registry/core/content/sanitise/sanitise.ts';
import { activeContentRules } from '../../../../registry/plugins/secscan/rules/active-content.ts';
import { createScope } from '../../../../registry/plugins/secscan/rules/rule.ts';
import { DEFAULT_SETTINGS } from '../../../../registry/plugins/secscan/settings/settings.ts';
import { readPost } from '../../../../registry/plugins/secscan/text/read-post.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { PIECES, VECTORS } from '../../core/content/xss-vectors.ts';
import { OWN_URL } from './planted.ts';

const scope = createScope(OWN_URL, DEFAULT_SETTINGS);

async function findActive(content: string): Promise<readonly string[]> {
  const post = await readPost({ id: 1, version: 1, content }, 'post', {
    own: scope.own,
    pause: async () => undefined,
  });
  return activeContentRules.filter((rule) => rule.check(post, scope).length > 0).map(({ id }) => id);
}

const ELEMENTS: ReadonlySet<string> = new Set(['script', 'object', 'embed', 'applet', 'base']);
const SCRIPT = /^(?:javascript|vbscript):/i;
const LINKING: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction', 'xlink:href', 'data']);

function isActive(node: Tree.Node): boolean {
  if ('tagName' in node) {
    if (ELEMENTS.has(node.tagName)) return true;
    const isBad = ({ prefix, name, value }: Tree.Element['attrs'][number]): boolean => {
      const full = prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
      return (
        /^on[a-z]/.test(full) ||
        full === 'srcdoc' ||
        (LINKING.has(full) && SCRIPT.test(value.replaceAll(/[\t\n\r]/g, '').trimStart()))
      );
    };
    if (node.attrs.some(isBad)) return true;
  }
  const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
  return children.some(isActive);
}

/** The result of a full HTML parser for the text inside a page. */
const isActiveInBrowser = (text: string): boolean => isActive(parseFragment(`${text} "'>`));

const vectors = suite('active content');

vectors('is found in every published vector that a browser would run', async () => {
  const missed: string[] = [];
  let active = 0;
  for (const vector of VECTORS) {
    if (!isActiveInBrowser(vector)) continue;
    active += 1;
    if ((await findActive(vector)).length === 0) missed.push(vector);
  }
  assert.equal(missed, []);
  assert.ok(active > 200, `${active} of ${VECTORS.length} are active`);
});

vectors('is not found in what the sanitiser lets through', async () => {
  for (const vector of VECTORS) assert.equal(await findActive(sanitiseContent(vector)), [], vector);
});

const MORE = [
  '<script',
  'onerror=x',
  'src=',
  ' ',
  '"',
  "'",
  '>',
  '&#x3c;',
  '<![CDATA[',
  ']]>',
  '<foreignObject>',
  '<desc>',
  '<annotation-xml encoding=text/html>',
  '<mi>',
  '<svg/>',
  '<font color=x>',
];
const texts = array(constantFrom(...PIECES, ...MORE), { maxLength: 30, size: 'max' }).map((pieces) =>
  pieces.join(''),
);
const numRuns = countRuns(3000, 100_000);

vectors('is found in every text that a browser would run', async () => {
  let active = 0;
  await check(
    asyncProperty(texts, async (text) => {
      if (!isActiveInBrowser(text)) return;
      active += 1;
      assert.ok((await findActive(text)).length > 0);
    }),
    { numRuns },
  );
  assert.ok(active > numRuns / 20, `${active} of ${numRuns} texts were active`);
});

vectors('is not found in any text that the sanitiser made', async () => {
  await check(
    asyncProperty(texts, async (text) => {
      assert.equal(await findActive(sanitiseContent(text)), []);
    }),
    { numRuns },
  );
});

vectors.run();
