// Measures the memory and the rate of import on the file store: `npm run build && node dist/test/bench/transfer/memory.js [MEGABYTES] [POSTS]`.
// Files are made in a temporary directory and removed. Prints one line for each measurement.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toItem, toWxr } from '../../support/wxr.ts';
import { measure, toText } from './measure.ts';

const MIB = 1024 * 1024;
/** An export of this size or of this many posts. */
function* writeExport({
  bytes,
  posts,
  text,
}: {
  readonly bytes: number;
  readonly posts: number;
  readonly text: number;
}): Generator<string> {
  const [start = '', end = ''] = toWxr(['%%items%%']).split('%%items%%');
  yield start;
  for (let [id, size] = [1, 0]; size < bytes && id <= posts; id += 1) {
    const item = toItem({
      id,
      title: `Post ${id}`,
      slug: `post-${id}`,
      content: toText(id, text),
      terms: [['category', `category-${id % 20}`]],
    });
    size += item.length;
    yield item;
  }
  yield end;
}

const [megabytes = 300, posts = 100_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'routebook-memory-'));
try {
  const file = join(folder, 'big.xml');
  await pipeline(
    Readable.from(writeExport({ bytes: megabytes * MIB, posts: Infinity, text: 10_000 })),
    createWriteStream(file),
  );
  const store = ['--content', 'core', '--store', `file:${join(folder, 'big')}`];
  const big = await measure(['import', file, ...store]);
  console.log(
    `import of ${Math.round((await stat(file)).size / MIB)} MiB: ${big.peak} MiB, ${big.seconds.toFixed(0)} s`,
  );
  await rm(file);
  await rm(join(folder, 'big'), { recursive: true });
  const many = join(folder, 'many.xml');
  await pipeline(Readable.from(writeExport({ bytes: Infinity, posts, text: 1500 })), createWriteStream(many));
  const manyStore = ['--content', 'core', '--store', `file:${join(folder, 'many')}`];
  const imported = await measure(['import', many, ...manyStore]);
  console.log(
    `import of ${posts} posts: ${imported.peak} MiB, ${Math.round((posts / imported.seconds) * 60)} posts a minute`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
