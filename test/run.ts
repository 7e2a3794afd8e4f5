// Runs every compiled test file in a separate process, two at a time, and adds up the results that uvu reports.
// Fails when a file fails, when it does not run any test, or when it leaves something running.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLong } from './support/long-mode.ts';
import { SLOW_FILES } from './support/slow-files.ts';

const ROOT = dirname(fileURLToPath(import.meta.url));
const FILE_TIMEOUT_MS = isLong ? 7_200_000 : 300_000;
const AT_ONCE = 2;

interface FileResult { readonly file: string; readonly passed: number; readonly failed: number; readonly output: string; readonly seconds: number }

function rankOf(file: string): number {
  const rank = SLOW_FILES.indexOf(file.replace(/\.test\.js$/, ''));
  return rank === -1 ? SLOW_FILES.length : rank;
}

/** The longest files first: started last, they would run alone at the end. Files that are not listed follow by name. */
function byLength(left: string, right: string): number {
  return rankOf(left) - rankOf(right) || (left < right ? -1 : 1);
}

/** The files that an argument names: the file of that name (`words`), or else all whose path contains it (`lib/schema`). */
function findTests(files: readonly string[], part: string): readonly string[] {
  const named = files.filter((file) => basename(file, '.test.js') === part);
  return named.length > 0 ? named : files.filter((file) => file.includes(part));
}

function listTests(): string[] {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js')).sort(byLength);
  const wanted = process.argv.slice(2);
  if (wanted.length === 0) return files;
  const found = new Set(wanted.flatMap((part) => findTests(files, part)));
  return files.filter((file) => found.has(file));
}

function readCount(output: string, label: string): number {
  return Number(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'm').exec(output.replaceAll(/\[\d+m/g, ''))?.[1] ?? 0);
}

/** Why the report of a file does not count; null when it does. */
function findFault(output: string, total: number): string | null {
  if (total === 0) return 'ran no test';
  // uvu starts all suites at the first pause of the file. Later suites would run in parallel and not be counted.
  return output.match(/^\s*Total:/gm)?.length === 1 ? null : 'reports more than once, because the file waits between its suites';
}

function runFile(file: string): Promise<FileResult> {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, file)], { env: { ...process.env, FORCE_COLOR: '0' } });
    let output = '';
    const timer = setTimeout(() => { output += `\n${file}: still running after ${FILE_TIMEOUT_MS / 1000} s\n`; child.kill('SIGKILL'); }, FILE_TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    child.stderr.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    child.on('close', (code) => {
      clearTimeout(timer);
      const total = readCount(output, 'Total');
      const passed = readCount(output, 'Passed');
      const fault = findFault(output, total);
      const broken = fault !== null || (code !== 0 && passed === total);
      if (fault !== null) output += `\n${file}: ${fault}\n`;
      resolve({ file, passed, failed: total - passed + (broken ? 1 : 0), output, seconds: (Date.now() - started) / 1000 });
    });
  });
}

async function runAll(files: readonly string[]): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const queue = [...files];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await runFile(file);
      results.push(result);
      if (result.failed > 0) process.stdout.write(`\n--- ${result.file}\n${result.output}\n`);
      else process.stdout.write(`ok  ${relative('', result.file)} (${result.passed}, ${result.seconds.toFixed(1)} s)\n`);
    }
  }));
  return results;
}

const results = await runAll(listTests());
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
for (const { output } of results) for (const [line] of output.matchAll(/^.*\bSKIPPED .*: .*$/gm)) console.log(line.slice(line.indexOf('SKIPPED')));
for (const result of results.filter((each) => each.failed > 0)) console.log(`FAILED ${result.file}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
