// Measures the memory and the rate of import and export on the file store: `npm run build && node dist/test/bench/transfer/memory.js [MEGABYTES] [POSTS]`.
// Files are made in a temporary directory and removed. Prints one line for each measurement.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ROUTEBOOK } from '../../support/routebook.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const MIB = 1024 * 1024;
const WORDS = 'harbour lantern tide ferry quay mast anchor gull storm pilot chart rope deck bell fog pier light wreck salt sail'.split(' ');

/** A text of about this many characters that is not the same in two posts. */
function toText(seed: number, length: number): string {
  const words: string[] = [];
  for (let [at, size] = [seed, 0]; size < length; at = (at * 1_103_515_245 + 12_345) % 2_147_483_648) {
    const word = WORDS[at % WORDS.length] ?? '';
    words.push(word);
    size += word.length + 1;
  }
  return `<!-- wp:paragraph -->\n<p>${words.join(' ')}</p>\n<!-- /wp:paragraph -->`;
}

/** An export of this size or of this many posts. */
function* writeExport({ bytes, posts, text }: { readonly bytes: number; readonly posts: number; readonly text: number }): Generator<string> {
  const [start = '', end = ''] = toWxr(['%%items%%']).split('%%items%%');
  yield start;
  for (let [id, size] = [1, 0]; size < bytes && id <= posts; id += 1) {
    const item = toItem({ id, title: `Post ${id}`, slug: `post-${id}`, content: toText(id, text), terms: [['category', `category-${id % 20}`]] });
    size += item.length;
    yield item;
  }
  yield end;
}

/** Runs a command, and resolves with its largest memory in MiB and its time in seconds. */
async function measure(args: readonly string[]): Promise<{ readonly peak: number; readonly seconds: number }> {
  const started = performance.now();
  const code = `import { runRoutebook } from ${JSON.stringify(ROUTEBOOK.replace(/bin\.js$/, 'main.js'))}; process.exitCode = await runRoutebook(process.argv.slice(1)); process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS + '\\n');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, '--', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let peak = 0;
  for await (const line of createInterface({ input: child.stderr })) {
    const [, kilobytes] = /^peak (\d+)$/.exec(line) ?? [];
    if (kilobytes !== undefined) peak = Number(kilobytes) / 1024;
    else if (line !== '' && !line.startsWith('info')) console.error(line);
  }
  return { peak: Math.round(peak), seconds: (performance.now() - started) / 1000 };
}

const [megabytes = 300, posts = 100_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'routebook-memory-'));
try {
  const file = join(folder, 'big.xml');
  await pipeline(Readable.from(writeExport({ bytes: megabytes * MIB, posts: Infinity, text: 10_000 })), createWriteStream(file));
  const store = ['--content', 'core', '--store', `file:${join(folder, 'big')}`];
  const big = await measure(['import', file, ...store]);
  console.log(`import of ${Math.round((await stat(file)).size / MIB)} MiB: ${big.peak} MiB, ${big.seconds.toFixed(0)} s`);
  await rm(file);
  await rm(join(folder, 'big'), { recursive: true });
  const many = join(folder, 'many.xml');
  await pipeline(Readable.from(writeExport({ bytes: Infinity, posts, text: 1500 })), createWriteStream(many));
  const manyStore = ['--content', 'core', '--store', `file:${join(folder, 'many')}`];
  const imported = await measure(['import', many, ...manyStore]);
  console.log(`import of ${posts} posts: ${imported.peak} MiB, ${Math.round(posts / imported.seconds * 60)} posts a minute`);
  const idle = await measure(['export', ...manyStore, '--types', 'nothing', '--output', join(folder, 'none')]);
  for (const format of ['ndjson', 'wxr']) {
    const { peak, seconds } = await measure(['export', ...manyStore, '--format', format, '--output', join(folder, format)]);
    console.log(`export of ${posts} posts as ${format}: ${peak - idle.peak} MiB above ${idle.peak}, ${seconds.toFixed(0)} s`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
