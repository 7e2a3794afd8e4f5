import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Names } from '../../../lib/core/names.ts';
import { createRecordRenderer } from '../../../lib/route/render-record.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { TEST_NAMES } from '../../support/site.ts';

interface Source {
  readonly id: number;
  readonly text: string;
  readonly group?: number;
}

const PROPERTIES: ArgSchemas = {
  id: { type: 'integer' },
  text: {
    type: 'object',
    context: ['view', 'edit'],
    properties: {
      raw: { type: 'string', context: ['edit'] },
      rendered: { type: 'string', context: ['view', 'edit'] },
    },
  },
  ml_group: { type: 'integer', context: ['view'] },
  unknown: { type: 'string' },
};

const asked: string[] = [];
const render = createRecordRenderer<Source>(
  PROPERTIES,
  {
    // Not in the order of the resource.
    ml_group: ({ group }) => group,
    text: {
      rendered: ({ text }) => `<p>${text}</p>`,
      raw: ({ text }) => {
        asked.push(text);
        return text;
      },
    },
    id: ({ id }) => id,
  },
  {
    links: ({ id }) => ({ self: [{ href: `/${id}` }] }),
    onFault: (_source, { error }) => {
      throw error;
    },
  },
);

const NAMES: Names = { ...TEST_NAMES, params: { ml_group: 'wpml_group' } };
const show = (context: string, source: Source, names = TEST_NAMES): string =>
  JSON.stringify(render(source, { context, names }));

const contexts = suite('a record in a context');

const LINKS = '"_links":{"self":[{"href":"/1"}]}';
const ROWS: readonly (readonly [context: string, source: Source, shown: string])[] = [
  ['view', { id: 1, text: 'a', group: 3 }, `{"id":1,"text":{"rendered":"<p>a</p>"},"ml_group":3,${LINKS}}`],
  ['edit', { id: 1, text: 'a', group: 3 }, `{"id":1,"text":{"raw":"a","rendered":"<p>a</p>"},${LINKS}}`],
  ['embed', { id: 1, text: 'a', group: 3 }, `{"id":1,${LINKS}}`],
  ['view', { id: 1, text: 'a' }, `{"id":1,"text":{"rendered":"<p>a</p>"},${LINKS}}`],
];
for (const [context, source, shown] of ROWS)
  contexts(`${context}: ${shown}`, () => assert.is(show(context, source), shown));

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

const faults = suite('a record that cannot be rendered');

const fail = (): never => {
  throw new Error('unreadable');
};

const TYPED: ArgSchemas = {
  id: { type: 'integer' },
  date: { type: ['string', 'null'], format: 'date-time' },
  text: { type: 'object', properties: { raw: { type: 'string' }, rendered: { type: 'string' } } },
  count: { type: 'int' },
  share: { type: 'number' },
  sticky: { type: 'bool' },
  tags: { type: 'array' },
  meta: { type: 'object' },
  any: {},
};

faults('has the empty value of each field that failed, and all others', () => {
  const told: string[] = [];
  const renderFaulty = createRecordRenderer<Source>(
    TYPED,
    {
      id: ({ id }) => id,
      date: fail,
      text: { raw: ({ text }) => text, rendered: fail },
      count: fail,
      share: fail,
      sticky: fail,
      tags: fail,
      meta: fail,
      any: fail,
    },
    { links: fail, onFault: ({ id }, { field, error }) => told.push(`${id} ${field}: ${String(error)}`) },
  );
  const shown = renderFaulty({ id: 1, text: '<b>a</b>' }, { context: 'view', names: TEST_NAMES });
  assert.equal(shown, {
    id: 1,
    date: null,
    text: { raw: '<b>a</b>', rendered: '' },
    count: 0,
    share: 0,
    sticky: false,
    tags: [],
    meta: {},
    any: null,
    _links: {},
  });
  const fields = ['date', 'text.rendered', 'count', 'share', 'sticky', 'tags', 'meta', 'any', '_links'];
  assert.equal(
    told,
    fields.map((field) => `1 ${field}: Error: unreadable`),
  );
});

faults.run();
