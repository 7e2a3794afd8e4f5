import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns } from '../../support/long-mode.ts';
import { dropSchema, findPostgres, nameSchema, skipPostgres } from '../../support/postgres.ts';
import { createRandom } from '../../support/random.ts';
import { inFolder } from '../../support/temporary.ts';

const PROCESS = fileURLToPath(new URL('../../support/log-process.js', import.meta.url));
const ROUNDS = countRuns(50, 1000);
/** Longest time that a process runs before it is killed. Milliseconds. */
const LIFE_MS = 60;

/** A process of the test. `told`: the texts that it acknowledged. */
class Running {
  readonly #args: readonly string[];
  readonly #told: string[];
  #child: ChildProcess | null = null;
  #output = '';

  constructor(args: readonly string[], told: string[]) {
    this.#args = args;
    this.#told = told;
  }

  /** Resolves when it has said something. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--no-warnings', PROCESS, ...this.#args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (part: Buffer) => {
        this.#output += part.toString();
        resolve();
      });
      child.once('close', () => reject(new Error('the process ended at once')));
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const closed = new Promise((resolve) => {
      child.once('close', resolve);
    });
    child.kill('SIGKILL');
    await closed;
    // An incomplete line does not acknowledge anything.
    this.#told.push(...this.#output.split('\n').slice(0, -1));
  }
}

/** Kills processes in turn, while the others go on. `roles`: one process each. */
async function killInTurn(
  place: readonly [address: string, schema: string],
  folder: string,
  roles: readonly string[],
): Promise<void> {
  const random = createRandom(31);
  const file = join(folder, 'seen');
  const told: string[] = [];
  const all = roles.map((role) => new Running([...place, role, file], role === 'reader' ? [] : told));
  try {
    for (const each of all) await each.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = all[round % all.length] as Running;
      await pause(random.below(LIFE_MS));
      await victim.kill();
      await victim.start();
    }
  } finally {
    for (const each of all) await each.kill();
  }
  const args = ['--no-warnings', PROCESS, ...place, 'finisher', file];
  const finisher = spawn(process.execPath, args, { stdio: 'ignore' });
  assert.is(await new Promise((resolve) => finisher.once('close', resolve)), 0);
  const seen = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  const texts = seen.map(([, , text]) => text);
  const counts = new Map<unknown, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  console.log(`${ROUNDS} processes killed, ${told.length} acknowledged changes, ${seen.length} seen`);
  assert.equal(
    {
      missed: told.filter((text) => !counts.has(text)).length,
      doubled: [...counts.values()].filter((count) => count !== 1).length,
      // The log has no gaps, so that its last revision is the number of changes.
      outOfOrder: seen.filter(([revision], at) => Number(revision) !== at + 1).length,
    },
    { missed: 0, doubled: 0, outOfOrder: 0 },
  );
  // What was committed and not acknowledged: at most one change of each line of a killed writer.
  assert.ok(seen.length - told.length <= 2 * (ROUNDS + roles.length), 'invented');
  assert.ok(told.length > ROUNDS);
}

const crash = suite('the log after kill -9');
crash('sqlite, a process that writes and reads: every acknowledged change once, in order', () =>
  inFolder((folder) => killInTurn([join(folder, 'store'), ''], folder, ['both'])),
);

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('the log after kill -9');
else
  crash('postgres, four writers and a reader: every acknowledged change once, in order', () =>
    inFolder(async (folder) => {
      const schema = nameSchema();
      await killInTurn([server.url, schema], folder, ['writer', 'writer', 'writer', 'writer', 'reader']);
      await dropSchema(server.url, schema);
    }),
  );

crash.run();
