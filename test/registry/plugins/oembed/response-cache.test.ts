import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createResponseCache } from '../../../../registry/plugins/oembed/proxy.ts';

const cache = suite('createResponseCache');

cache('the least recently used entry is evicted', () => {
  const answers = createResponseCache(() => 0, { entries: 2 });
  answers.set('a', '1');
  answers.set('b', null);
  answers.get('a');
  answers.set('c', '3');
  assert.equal([answers.get('a'), answers.get('b'), answers.get('c')], ['1', undefined, '3']);
});

cache('bytes are counted in keys and answers, and given back', () => {
  const answers = createResponseCache(() => 0, { bytes: 10 });
  answers.set('ab', 'éé');
  answers.set('cd', '12');
  assert.equal([answers.get('ab'), answers.get('cd')], ['éé', '12']);
  answers.set('cd', '1');
  answers.set('e', '');
  assert.equal([answers.get('ab'), answers.get('cd'), answers.get('e')], ['éé', '1', '']);
  answers.set('f', '1');
  assert.equal([answers.get('ab'), answers.get('f')], [undefined, '1']);
});

cache('a response that is too big is not cached', () => {
  const answers = createResponseCache(() => 0, { bytes: 10 });
  answers.set('a', 'x'.repeat(10));
  answers.set('b', '1');
  assert.equal([answers.get('a'), answers.get('b')], [undefined, '1']);
});

cache.run();
