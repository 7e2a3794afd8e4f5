import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBenchOptions } from './options.ts';

const options = suite('options of the benchmark');
options('write the document, unless only a part is measured', () => {
  assert.is(readBenchOptions([]).write, 'docs/benchmarks.md');
  assert.is(readBenchOptions(['--only', 'head']).write, null);
  assert.is(readBenchOptions(['--only', 'head', '--write', 'part.md']).write, 'part.md');
});
options.run();
