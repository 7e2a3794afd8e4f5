import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBenchOptions } from './options.ts';

const options = suite('options of the benchmark');
options('write the tables only where it is said, never over the page of the documents', () => {
  assert.is(readBenchOptions([]).write, null);
  assert.is(readBenchOptions(['--only', 'head', '--write', 'part.md']).write, 'part.md');
});
options.run();
