import { own } from '../../../lib/core/objects.ts';
import { toPositions } from '../../../lib/store/change-rows.ts';
import { runWithSource } from '../../../lib/store/change-source.ts';
import type { Change, Positions } from '../../../lib/store/change.ts';
import { eq } from '../../../lib/store/query.ts';
import { findFirst, isRace, type StoredRecord, StoreError } from '../../../lib/store/store.ts';
import { repeat, rest, runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';

/** Work that follows the log of changes. */
export interface Reaction {
  /** Identifies its place in the log, for all versions of the program: `reading.count`. */
  readonly name: string;
  /** The collections whose changes it gets. */
  readonly to: readonly string[];
  /**
   * Gets up to 500 changes in the order of commits, from requests and anything else: each at least once, again after a crash,
   * and until it succeeds. What it throws is logged, and it is called again with the same changes, after one second, then later and
   * later. Only one process of the site runs it at a time. `signal`: aborted when the site is closed or another process has taken over.
   */
  readonly run: (
    changes: readonly Change[],
    context: { readonly signal: AbortSignal },
  ) => Promise<void> | void;
  /** Where it begins when the site has never run it: with what comes (`now`, the default), or with the oldest change that is kept. */
  readonly from?: 'now' | 'start';
}

type Needs = Pick<Ports, 'store' | 'now' | 'random' | 'log' | 'background' | 'changes'>;

const COLLECTION = 'change_readers';
/** How long a process may be silent before another one takes its place. */
const LEASE_MS = 20_000;
/** How soon to look again whether the process that runs a reaction has got on with it. */
const LOOK_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** The place of a reaction in the log, and the right to move it, which one process has at a time. */
class Place {
  readonly #ports: Needs;
  readonly reaction: Reaction;
  readonly #holder: string;
  #record: StoredRecord | null = null;

  constructor(ports: Needs, reaction: Reaction) {
    this.#ports = ports;
    this.reaction = reaction;
    this.#holder = Buffer.from(ports.random(12)).toString('hex');
  }

  get positions(): Positions {
    const kept = (this.#record?.['positions'] ?? {}) as Positions;
    // A collection that the reaction did not follow before begins at its oldest change.
    return Object.fromEntries(this.reaction.to.map((name) => [name, own(kept, name) ?? 0]));
  }

  /** Reads the place, or makes it where the reaction begins. */
  async load(): Promise<void> {
    const { store, changes } = this.#ports;
    const { name, from = 'now' } = this.reaction;
    const found = await findFirst(store, { collection: COLLECTION, where: eq('name', name) });
    this.#record = found ?? null;
    if (this.#record !== null) return;
    const positions = from === 'now' ? await changes.heads() : await changes.starts();
    try {
      [this.#record = null] = await store.commit([
        { op: 'create', collection: COLLECTION, values: { name, positions, holder: '', expires: 0 } },
      ]);
    } catch (error) {
      if (!isRace(error)) throw error;
      await this.load();
    }
  }

  /** Whether this process has the right, or gets it now. */
  async take(): Promise<boolean> {
    const now = this.#ports.now();
    const left = Number(this.#record?.['expires']) - now;
    if (this.#record?.['holder'] === this.#holder && left > LEASE_MS / 2) return true;
    await this.load();
    const isHeld =
      this.#record?.['holder'] !== this.#holder &&
      Number(this.#record?.['expires']) > now &&
      Number(this.#record?.['expires']) <= now + 2 * LEASE_MS;
    return !isHeld && this.#write({ holder: this.#holder, expires: now + LEASE_MS });
  }

  /** Extends the right. @returns false when another process has taken it */
  extend(): Promise<boolean> {
    return this.#write({ expires: this.#ports.now() + LEASE_MS });
  }

  /** Moves the place. @returns false when another process has taken over */
  move(positions: Positions): Promise<boolean> {
    return this.#write({ positions, expires: this.#ports.now() + LEASE_MS });
  }

  /** Lets the next process begin at once. */
  async release(): Promise<void> {
    if (this.#record?.['holder'] === this.#holder) await this.#write({ holder: '', expires: 0 });
  }

  async #write(values: Readonly<Record<string, string | number | Positions>>): Promise<boolean> {
    if (this.#record === null) return false;
    const { id, version } = this.#record;
    try {
      [this.#record = null] = await this.#ports.store.commit([
        { op: 'update', collection: COLLECTION, id, values, version },
      ]);
      return true;
    } catch (error) {
      if (!isRace(error)) throw error;
      this.#record = null;
      return false;
    }
  }
}

/** Runs the reaction on changes until it succeeds, and keeps the right meanwhile. @returns false when another process has taken over */
async function runUntilDone(
  ports: Needs,
  place: Place,
  { changes, signal }: { readonly changes: readonly Change[]; readonly signal: AbortSignal },
): Promise<boolean> {
  const { reaction } = place;
  const lost = new AbortController();
  const both = AbortSignal.any([signal, lost.signal]);
  let extending = Promise.resolve();
  const timer = setInterval(() => {
    extending = place
      .extend()
      .then((isOurs) => (isOurs ? undefined : lost.abort()))
      .catch((error: unknown) =>
        ports.log({ level: 'warn', message: `the place of ${reaction.name} could not be kept`, error }),
      );
  }, LEASE_MS / 3);
  try {
    for (let wait = 1000; !both.aborted; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        await runWithSource({ by: 0, from: 'command', request: '' }, () =>
          reaction.run(changes, { signal: both }),
        );
        return true;
      } catch (error) {
        if (both.aborted) return false;
        ports.log({
          level: 'warn',
          message: `the reaction ${reaction.name} failed, and is tried again`,
          error,
        });
        await rest(wait, both);
      }
    }
    return false;
  } finally {
    clearInterval(timer);
    await extending;
  }
}

/** Works until nothing is left, here or in the process that has the right. */
async function catchUp(ports: Needs, place: Place, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { changes } = await readOn(ports, place);
    if (changes.length === 0) return;
    if (await place.take()) {
      // The place may have moved before the right was taken.
      const { changes: own } = await readOn(ports, place);
      if (own.length === 0) return;
      const isDone = await runUntilDone(ports, place, { changes: own, signal });
      if (isDone) await place.move(toPositions(place.positions, own));
    } else await rest(LOOK_MS, signal);
    await place.load();
  }
}

/** Reads what follows the place. If it is no longer kept, the place moves to the oldest change, and the log says so. */
async function readOn(ports: Needs, place: Place): Promise<{ readonly changes: readonly Change[] }> {
  try {
    return await ports.changes.read(place.positions, 500);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'expired') throw error;
    ports.log({
      level: 'error',
      message: `the reaction ${place.reaction.name} was away for so long that it misses changes, and goes on with the oldest ones that are kept`,
      error,
    });
    const starts = await ports.changes.starts();
    const positions = Object.fromEntries(
      Object.entries(place.positions).map(([each, at]) => [each, Math.max(at, own(starts, each) ?? 0)]),
    );
    if (await place.take()) await place.move(positions);
    return { changes: [] };
  }
}

async function follow(ports: Needs, reaction: Reaction, signal: AbortSignal): Promise<void> {
  const place = new Place(ports, reaction);
  const message = `the reaction ${reaction.name} cannot follow the log`;
  await repeat(ports.log, { signal, restMs: LOOK_MS, message }, async () => {
    const seen = await ports.changes.revision();
    await place.load();
    await catchUp(ports, place, signal);
    await ports.changes.until(seen, { signal, background: true });
  });
  await place.release().catch(() => undefined);
}

/**
 * Runs a reaction in the background until the site is closed. Its place in the log is kept in the store with each success, so that
 * it misses nothing that happens while no process runs, and gets changes of a crash again.
 */
export function startReaction(ports: Needs, reaction: Reaction): void {
  runLater(ports, `reaction ${reaction.name}`, (signal) => follow(ports, reaction, signal));
}
