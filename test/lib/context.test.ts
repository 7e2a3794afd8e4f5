import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRecordRenderer } from '../../lib/context.ts';
import type { Names } from '../../lib/names.ts';
import type { ArgSchemas } from '../../lib/schema-dialect.ts';
import { TEST_NAMES } from '../support/site.ts';

interface Source { readonly id: number; readonly text: string; readonly group?: number }

const PROPERTIES: ArgSchemas = {
  id: { type: 'integer' },
  text: {
    type: 'object', context: ['view', 'edit'],
    properties: { raw: { type: 'string', context: ['edit'] }, rendered: { type: 'string', context: ['view', 'edit'] } },
  },
  ml_group: { type: 'integer', context: ['view'] },
  unknown: { type: 'string' },
};

const asked: string[] = [];
const render = createRecordRenderer<Source>(PROPERTIES, {
  // Not in the order of the resource.
  ml_group: ({ group }) => group,
  text: { rendered: ({ text }) => `<p>${text}</p>`, raw: ({ text }) => { asked.push(text); return text; } },
  id: ({ id }) => id,
}, ({ id }) => ({ self: [{ href: `/${id}` }] }));

const NAMES: Names = { ...TEST_NAMES, params: { ml_group: 'wpml_group' } };
const show = (context: string, source: Source, names = TEST_NAMES): string => JSON.stringify(render(source, { context, names }));

const contexts = suite('a record in a context');

const LINKS = '"_links":{"self":[{"href":"/1"}]}';
const ROWS: readonly (readonly [context: string, source: Source, shown: string])[] = [
  ['view', { id: 1, text: 'a', group: 3 }, `{"id":1,"text":{"rendered":"<p>a</p>"},"ml_group":3,${LINKS}}`],
  ['edit', { id: 1, text: 'a', group: 3 }, `{"id":1,"text":{"raw":"a","rendered":"<p>a</p>"},${LINKS}}`],
  ['embed', { id: 1, text: 'a', group: 3 }, `{"id":1,${LINKS}}`],
  ['view', { id: 1, text: 'a' }, `{"id":1,"text":{"rendered":"<p>a</p>"},${LINKS}}`],
];
for (const [context, source, shown] of ROWS) contexts(`${context}: ${shown}`, () => assert.is(show(context, source), shown));

contexts('shows fields under their wire names', () => {
  const source = { id: 1, text: 'a', group: 3 };
  assert.is(show('view', source, NAMES), `{"id":1,"text":{"rendered":"<p>a</p>"},"wpml_group":3,${LINKS}}`);
  assert.is(show('view', source), `{"id":1,"text":{"rendered":"<p>a</p>"},"ml_group":3,${LINKS}}`);
});

contexts('makes nothing that the context does not show', () => {
  asked.length = 0;
  show('view', { id: 1, text: 'hidden' });
  assert.equal(asked, []);
});

contexts.run();
