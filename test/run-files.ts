// Runs test files one after the other in this process, so that they share what they import and compile.
// Reads the name of a file from each line of standard input, and prints a result after its output.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { toResultLine, type TestResult } from './run-result.ts';

declare global {
  /** Groups of suites: uvu's `run()` adds to the first one. */
  var UVU_QUEUE: RunSuite[][];
  /** Set before uvu is loaded, it keeps uvu from running suites by itself. */
  var UVU_DEFER: number;
}

/** A suite of uvu: its errors as text (`true`: none), and how many tests passed, were skipped and ran. */
type RunSuite = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

globalThis.UVU_DEFER = 1;
shareKeys();

type Derived = Parameters<Parameters<typeof crypto.scrypt>[4]>;

/** Derives the key of a password with its salt once in the process, and not at each login on each site: it takes 50 ms. */
function shareKeys(): void {
  const known = new Map<string, Promise<Derived>>();
  const { scrypt } = crypto;
  crypto.scrypt = ((...[password, salt, length, options, done]: Parameters<typeof scrypt>) => {
    const id = JSON.stringify([password, salt, length, options]);
    const derived =
      known.get(id) ??
      new Promise<Derived>((resolve) => scrypt(password, salt, length, options, (...all) => resolve(all)));
    known.set(id, derived);
    void derived.then((all) => done(...all));
  }) as typeof scrypt;
  syncBuiltinESMExports();
}

/** How often a file's sockets, servers and processes are looked at before they count as left running. */
const LOOKS = 100;
const LOOK_MS = 50;

/** What keeps the process alive, but for the pipes of its own input and output. */
function listRunning(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
}

/** What a file left running; sockets need a moment to close. */
async function findLeft(): Promise<readonly string[]> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (listRunning().length === 0) return [];
    await wait(LOOK_MS);
  }
  return listRunning();
}

async function runFile(file: string): Promise<TestResult> {
  const suites: RunSuite[] = [];
  globalThis.UVU_QUEUE = [suites];
  await import(file);
  let [passed, total, errors] = [0, 0, ''];
  for (const run of suites) {
    const [found, ran, , all] = await run();
    passed += ran;
    total += all;
    if (found !== true) errors += `\n${found}`;
  }
  if (total === 0) errors += '\nThe file ran no test.\n';
  const left = await findLeft();
  if (left.length > 0) errors += `\nThe file left running: ${left.join(', ')}.\n`;
  return {
    passed,
    failed: total - passed + (total === 0 || left.length > 0 ? 1 : 0),
    errors,
    memory: process.memoryUsage.rss(),
  };
}

// The runner is done, or was killed in the middle of a file.
process.stdin.once('end', () => process.exit());

for await (const file of createInterface({ input: process.stdin })) {
  // A test that waits for nothing ends the process, and does not hang.
  process.stdin.unref();
  const result = await runFile(file);
  process.stdin.ref();
  process.stdout.write(toResultLine(result));
}
