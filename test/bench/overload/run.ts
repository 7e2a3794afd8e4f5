// Loads `routebook serve` with one, two and five times its capacity: `npm run overload -- [options]`; `npm run overload -- --help` explains them.
import { setTimeout as wait } from 'node:timers/promises';
import { describeOptions } from '../../../adapters/cli.ts';
import { findRecovery, quantile, toFigures } from './figures.ts';
import { OVERLOAD_OPTIONS, readOverloadOptions, type OverloadOptions } from './options.ts';
import { withRig, type Rig } from './rig.ts';
import { describeMachine, describeTable, toRow, type Row } from './table.ts';

/** The usual load before and after every other load: share of the capacity, and seconds. */
const USUAL = { times: 0.5, before: 5, after: 10 };
/** Seconds of the load before, during and after the lock. */
const LOCK = { before: 5, during: 10, after: 5 };
const LOCK_TIMES = 5;

/** Parts of the load by name, with their lengths in seconds. */
type Parts = Readonly<Record<string, number>>;

interface Load {
  readonly times: number;
  readonly parts: Parts;
  /** Called when the load starts. */
  readonly during?: () => void;
}

async function runLoad(
  rig: Rig,
  capacity: number,
  { times, parts, during = () => undefined }: Load,
): Promise<readonly Row[]> {
  const seconds = Object.values(parts).reduce((sum, each) => sum + each, 0);
  const before = await rig.pour([{ rate: USUAL.times * capacity, seconds: USUAL.before }]);
  const usual = quantile(
    before.samples.map(({ took }) => took),
    0.5,
  );
  await rig.connect();
  during();
  const { samples, found } = await rig.pour([
    { rate: times * capacity, seconds },
    { rate: USUAL.times * capacity, seconds: USUAL.after },
  ]);
  const within = (from: number, to: number): typeof samples =>
    samples.filter(({ at }) => at >= from * 1000 && at < to * 1000);
  const recovery = findRecovery(within(seconds, Infinity), { from: seconds * 1000, usual });
  let from = 0;
  return Object.entries(parts).map(([name, length]) => {
    const figures = toFigures(within(from, from + length), { capacity, seconds: length });
    from += length;
    return toRow(name, figures, from === seconds ? { usual, recovery, found } : null);
  });
}

async function runAll(rig: Rig, options: OverloadOptions): Promise<void> {
  const {
    place: { lock },
  } = rig;
  await rig.connect();
  const capacity = await rig.measureCapacity();
  console.log(`${describeMachine(options, capacity)}\n`);
  const rows: Row[] = [];
  for (const times of [1, 2, 5])
    rows.push(...(await runLoad(rig, capacity, { times, parts: { [`${times} ×`]: options.seconds } })));
  if (lock !== null) {
    const parts = {
      '5 ×, before the lock': LOCK.before,
      '5 ×, posts locked': LOCK.during,
      '5 ×, after the lock': LOCK.after,
    };
    let locked = Promise.resolve();
    const during = (): void => {
      locked = wait(LOCK.before * 1000).then(() => lock(LOCK.during * 1000));
    };
    rows.push(...(await runLoad(rig, capacity, { times: LOCK_TIMES, parts, during })));
    await locked;
  }
  console.log(describeTable(rows));
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOverloadOptions(args);
  if (options.help) {
    console.log(`npm run overload -- [options]\n\n${describeOptions(OVERLOAD_OPTIONS)}`);
    return;
  }
  await withRig(options, (rig) => runAll(rig, options));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
