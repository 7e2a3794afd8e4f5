// Runs the compiled test files, each in one of a few processes that they share: one more than there are cores, because some tests wait.
// `npm test` runs the quick files, `--all` also those called `*.slow.test.ts`; words name files (`npm test -- seo`).
// `--rest` runs what `--all` adds to `npm test`: the slow files, and those that try more cases.
// Fails when a test fails, and when a file runs no test, stops early, makes no progress or leaves something running.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResult, type TestResult } from './run-result.ts';

const ROOT = dirname(fileURLToPath(import.meta.url));
/** The tests before they were compiled. */
const SOURCES = join(ROOT, '../../test');
/** Seconds that each file takes on a quiet machine, by its path. `--record` writes it. */
const TIMES_FILE = join(SOURCES, 'times.json');
const USUAL_SECONDS = 1;
/** A file that prints nothing for so long is ended. No single test takes a tenth of it, also on a busy machine. */
const NO_PROGRESS_MS = process.env['ROUTEBOOK_LONG'] === '1' ? 7_200_000 : 900_000;
/** A process that holds more memory gets no further file. */
const MOST_MEMORY = 1.5 * 2 ** 30;
/** The mark of a file that needs a process of its own. A reason follows. */
const ALONE = /^\/\/ Runs alone: /m;

const { values, wanted } = readArguments(process.argv.slice(2));
const runsAll = values.has('--all') || values.has('--rest');
const times = JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as Record<string, number>;

interface FileRun extends TestResult {
  readonly file: string;
  readonly printed: string;
  readonly seconds: number;
}

function readArguments(args: readonly string[]): {
  readonly values: ReadonlySet<string>;
  readonly wanted: readonly string[];
} {
  const values = new Set(args.filter((arg) => arg.startsWith('--')));
  for (const value of values)
    if (!['--all', '--rest', '--record'].includes(value))
      throw new Error(`unknown option ${value}: --all, --rest, --record`);
  return { values, wanted: args.filter((arg) => !arg.startsWith('--')) };
}

const nameOf = (file: string): string => file.replace(/\.test\.js$/, '');
const readTest = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const isAlone = (file: string): boolean => ALONE.test(readTest(file));
const isSlow = (file: string): boolean => file.endsWith('.slow.test.js');
const hasMoreCases = (file: string): boolean =>
  /\/support\/(?:long-mode|turns|store-fuzz|many-writers)\.js/.test(readTest(file));
const secondsOf = (file: string): number => times[nameOf(file)] ?? USUAL_SECONDS;

/** The files that a word names: the file of that name (`words`), or else all whose path contains it (`lib/schema`). */
function findTests(files: readonly string[], word: string): readonly string[] {
  const named = files.filter((file) => basename(file, '.test.js') === word);
  return named.length > 0 ? named : files.filter((file) => file.includes(word));
}

/** The longest first: started last, they would run alone at the end. */
function listTests(): string[] {
  // The compiler does not remove what it made of files that have moved.
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.js') && existsSync(join(SOURCES, file.replace(/js$/, 'ts'))),
  );
  const found =
    wanted.length > 0
      ? [...new Set(wanted.flatMap((word) => findTests(files, word)))]
      : files.filter((file) => (isSlow(file) ? runsAll : !values.has('--rest') || hasMoreCases(file)));
  return found.toSorted((left, right) => secondsOf(right) - secondsOf(left) || (left < right ? -1 : 1));
}

/** Ends the process and everything that it started. */
function endGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    // The group has ended by itself, as it should.
  }
}

const stopped = (why: string): TestResult => ({
  passed: 0,
  failed: 1,
  errors: `\n${why}\n`,
  memory: Number.POSITIVE_INFINITY,
});

/** A process that runs test files. */
class Worker {
  readonly #child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'run-files.js')], {
    detached: true,
    stdio: 'pipe',
    env: { ...process.env, FORCE_COLOR: '0', ...(runsAll ? { ROUTEBOOK_ALL: '1' } : {}) },
  });
  #output = '';
  #memory = 0;
  #note: (() => void) | null = null;
  #ended: string | null = null;
  #files = 0;
  #isTaken = false;

  constructor() {
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#note?.();
      });
    this.#child.stdin.on('error', () => undefined); // The process may have ended.
    this.#child.on('close', (code, signal) => {
      this.#ended = `ended with ${signal ?? `code ${code}`} before its tests had finished`;
      this.#note?.();
    });
  }

  canRun(file: string): boolean {
    return (
      this.#files === 0 ||
      (this.#ended === null && this.#memory < MOST_MEMORY && !this.#isTaken && !isAlone(file))
    );
  }

  run(file: string): Promise<FileRun> {
    const started = Date.now();
    this.#files += 1;
    this.#isTaken = isAlone(file);
    this.#output = '';
    this.#child.stdin.write(`${join(ROOT, file)}\n`);
    return new Promise((resolve) => {
      const finish = (printed: string, result: TestResult): void => {
        clearTimeout(timer);
        this.#note = null;
        this.#memory = result.memory;
        resolve({ file, printed, seconds: (Date.now() - started) / 1000, ...result });
      };
      const stall = (): void => {
        endGroup(this.#child);
        finish(
          this.#output,
          stopped(`The file made no progress for ${NO_PROGRESS_MS / 60_000} minutes and was ended.`),
        );
      };
      let timer = setTimeout(stall, NO_PROGRESS_MS);
      this.#note = () => {
        clearTimeout(timer);
        timer = setTimeout(stall, NO_PROGRESS_MS);
        const { printed, result } = readResult(this.#output);
        if (result !== null) finish(printed, result);
        else if (this.#ended !== null) finish(printed, stopped(`The file ${this.#ended}.`));
      };
      this.#note();
    });
  }

  /** Resolves when the process has ended. @returns whether it left processes behind. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#ended === null)
      await new Promise<void>((resolve) => {
        this.#note = () => {
          if (this.#ended !== null) resolve();
        };
      });
    endGroup(this.#child);
  }
}

function report({ file, printed, errors, failed }: FileRun): void {
  if (failed === 0) return;
  const others = printed
    .split('\n')
    .filter((line) => !/[•✘]/.test(line))
    .join('\n')
    .trim();
  process.stdout.write(
    `\n--- ${nameOf(file)}\n${errors}${others === '' ? '' : `\nIt printed:\n${others.slice(-4000)}\n`}\nRun it alone: npm test -- ${nameOf(file)}\n`,
  );
}

/** Says how far the run is: at each file on a terminal, else at each tenth. */
function createProgress(files: readonly string[]): (run: FileRun) => void {
  const all = files.reduce((sum, file) => sum + secondsOf(file), 0);
  const started = Date.now();
  let [count, weight] = [0, 0];
  return ({ file }) => {
    count += 1;
    weight += secondsOf(file);
    const minutes = Math.ceil((((Date.now() - started) / 60_000) * (all - weight)) / weight);
    const text = `${count} of ${files.length}${count === files.length ? '' : `, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`}`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${text}${count === files.length ? '\n' : ''}`);
    else if (
      count === files.length ||
      Math.floor((count * 10) / files.length) > Math.floor(((count - 1) * 10) / files.length)
    )
      console.log(text);
  };
}

async function runAll(files: readonly string[]): Promise<FileRun[]> {
  const runs: FileRun[] = [];
  const queue = [...files];
  const progress = createProgress(files);
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism() + 1, files.length) }, async () => {
      let worker = new Worker();
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        if (!worker.canRun(file)) {
          await worker.end();
          worker = new Worker();
        }
        const run = await worker.run(file);
        runs.push(run);
        report(run);
        progress(run);
      }
      await worker.end();
    }),
  );
  return runs;
}

/** Writes the times of the files that ran beside those of the others that are there. */
function record(runs: readonly FileRun[]): void {
  const others = Object.entries(times).filter(([name]) => existsSync(join(SOURCES, `${name}.test.ts`)));
  const measured = runs.map(({ file, seconds }) => [nameOf(file), Math.round(seconds * 10) / 10] as const);
  const merged = Object.entries({ ...Object.fromEntries(others), ...Object.fromEntries(measured) });
  writeFileSync(TIMES_FILE, `${JSON.stringify(Object.fromEntries(merged.toSorted()), null, 1)}\n`);
}

const runs = await runAll(listTests());
if (values.has('--record')) record(runs);
const passed = runs.reduce((sum, run) => sum + run.passed, 0);
const failed = runs.reduce((sum, run) => sum + run.failed, 0);
for (const { printed } of runs)
  for (const [line] of printed.matchAll(/^.*\bSKIPPED .*: .*$/gm))
    console.log(line.slice(line.indexOf('SKIPPED')));
for (const run of runs.filter((each) => each.failed > 0)) console.log(`FAILED ${nameOf(run.file)}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
