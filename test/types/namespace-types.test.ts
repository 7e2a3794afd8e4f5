import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseAnswers } from './answer-types.ts';
import { passContext, passSiteContext } from './host-types.ts';
import { HELD, refuseMistakes } from './namespace-types.ts';
import { listGuards, listMistakenVerdicts } from './permission-types.ts';
import { listMistakes } from './store-types.ts';

const types = suite('types of handlers');

for (const [title, same] of Object.entries(HELD)) types(title, () => assert.is(same, true));

types('mistakes do not compile', () => assert.type(refuseMistakes, 'function'));

types('a context of another type does not compile', () =>
  assert.equal([typeof passContext, typeof passSiteContext], ['function', 'function']),
);

types('responses that the schemas do not allow do not compile', () => assert.type(refuseAnswers, 'function'));

types('permission functions get the args of their endpoints', () => assert.type(listGuards, 'function'));

types('mistakes with a store do not compile', () => assert.is(listMistakes().length, 2));

types('verdicts that are none do not compile', () =>
  assert.is(listMistakenVerdicts({ id: 1, version: 1, title: '' }, {}).length, 17),
);

types.run();
