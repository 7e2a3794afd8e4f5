import type { Program } from '../../support/start-program.ts';
import { startChild, type Child } from '../children.ts';
import type { MixSample } from './generator.ts';
import type { MixPlan } from './mix.ts';
import type { Stage } from './open-loop.ts';
import type { OverloadOptions } from './options.ts';
import { openPlace, type Place } from './places.ts';
import type { Found } from './read-back.ts';
import { startSite } from './site.ts';

/** Few enough that nothing is refused, and enough that the server is never idle. */
const IN_FLIGHT = 16;
const ROUND_SECONDS = 5;
/** The first rounds warm up the server. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 3;

/** The results of a load, and the updates that were found afterwards. */
export interface Poured {
  readonly samples: readonly MixSample[];
  readonly found: Found;
}

interface Parts {
  readonly place: Place;
  readonly server: Program;
  readonly generator: Child;
}

/** A server with its content, and a process that generates load. */
export class Rig {
  readonly place: Place;
  readonly #server: Program;
  readonly #generator: Child;
  readonly #options: OverloadOptions;
  #seed = 0;

  constructor({ place, server, generator }: Parts, options: OverloadOptions) {
    this.place = place;
    this.#server = server;
    this.#generator = generator;
    this.#options = options;
  }

  /** Opens all closed sockets. The server closes idle ones. */
  async connect(): Promise<void> {
    await this.#generator.run('sockets', { port: this.#port, count: this.#options.sockets });
  }

  /** Capacity of the warm server in responses per second: the best of several rounds. */
  async measureCapacity(): Promise<number> {
    const rates: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      rates.push(
        await this.#generator.run('saturate', {
          ...this.#nextPlan(),
          inFlight: IN_FLIGHT,
          seconds: ROUND_SECONDS,
        }),
      );
    }
    return Math.max(...rates.slice(WARM_UP_ROUNDS));
  }

  async pour(stages: readonly Stage[]): Promise<Poured> {
    const samples = await this.#generator.run('pour', { ...this.#nextPlan(), stages });
    const updates = samples.flatMap(({ outcome, about: { written } }) =>
      written === undefined ? [] : [{ ...written, outcome }],
    );
    return { samples, found: await this.#generator.run('readBack', { port: this.#port, updates }) };
  }

  get #port(): number {
    return Number(new URL(this.#server.origin).port);
  }

  #nextPlan(): MixPlan {
    this.#seed += 1;
    return { posts: this.#options.posts, seed: this.#seed };
  }
}

/** Starts server and generator, and always stops them. */
export async function withRig(options: OverloadOptions, use: (rig: Rig) => Promise<void>): Promise<void> {
  const place = await openPlace(options.store);
  try {
    const server = await startSite(place, options.posts);
    const generator = startChild(1);
    try {
      await use(new Rig({ place, server, generator }, options));
    } finally {
      await Promise.all([server.stop(), generator.stop()]);
    }
  } finally {
    await place.remove();
  }
}
