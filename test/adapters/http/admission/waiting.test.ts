import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Waiting } from '../../../../adapters/http/admission/waiting.ts';
import { withMovedClock, type MovedClock } from '../../../support/moved-clock.ts';

/** Pieces of work and their outcomes. */
class Log {
  readonly ran: number[] = [];
  readonly refused: number[] = [];
  readonly waiting: Waiting;
  hasRoom = true;
  readonly #clock: MovedClock;

  /** `few`: number of waiting pieces of which none is late. */
  constructor(clock: MovedClock, few = 0) {
    this.#clock = clock;
    this.waiting = new Waiting(() => this.hasRoom, few);
  }

  add(number: number, { takes = 0, patience = 10_000 }: { takes?: number; patience?: number } = {}): void {
    this.waiting.add({
      kind: 'read',
      patience,
      run: () => {
        this.#clock.block(takes);
        this.ran.push(number);
      },
      refuse: () => {
        this.refused.push(number);
      },
    });
  }

  async settle(count: number): Promise<void> {
    for (let tries = 0; this.ran.length + this.refused.length < count && tries < 1000; tries += 1)
      await this.#clock.move(5);
    await this.#clock.move(50);
    assert.is(this.ran.length + this.refused.length, count);
    assert.is(new Set([...this.ran, ...this.refused]).size, count, 'each was run or refused, once');
  }
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_each, number) => number);

const queue = suite('Waiting');

queue('runs work at once when there is time', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    for (const number of upTo(10)) log.add(number);
    assert.equal(log.ran, upTo(10));
  }),
);

queue('refuses none of a few, however late they are, and of many only those beyond a few', () =>
  withMovedClock(async (clock) => {
    const [few, many] = [new Log(clock, 5), new Log(clock, 5)];
    for (const log of [few, many]) {
      log.add(0, { takes: 150, patience: 1 });
      log.add(1, { takes: 150, patience: 1 });
    }
    for (const number of upTo(4)) few.add(number + 2, { takes: 20, patience: 1 });
    for (const number of upTo(20)) many.add(number + 2, { takes: 20, patience: 1 });
    await few.settle(6);
    await many.settle(22);
    assert.equal(few.refused, []);
    assert.ok(many.refused.length >= 10 && many.ran.length >= 5, `${many.refused.length} refused`);
  }),
);

queue('runs the rest in order, and lets the event loop turn in between', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (log.ran.length < 30) setImmediate(count);
    };
    for (const number of upTo(30)) log.add(number, { takes: 10 });
    assert.ok(log.ran.length < 10, `${log.ran.length} ran at once`);
    count();
    await log.settle(30);
    assert.equal([log.ran, log.refused], [upTo(30), []]);
    assert.ok(turns > 5, `${turns} turns`);
  }),
);

queue('counts the immediate follow-up work of a piece as a part of it', () =>
  withMovedClock(async (clock) => {
    const order: string[] = [];
    const each = new Waiting(() => true);
    const add = (run: () => void): void =>
      each.add({ kind: 'read', patience: 1000, run, refuse: () => undefined });
    add(() => clock.block(30));
    for (const name of ['a', 'b']) {
      const run = async (): Promise<void> => {
        for (let step = 0; step < 3; step += 1) {
          order.push(name);
          await Promise.resolve();
        }
      };
      add(() => void run());
    }
    await clock.move(100);
    assert.is(order.join(''), 'aaabbb');
  }),
);

queue('refuses only pieces that have waited longer than their patience', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    for (const number of upTo(100)) log.add(number, { takes: 10, patience: 300 });
    await log.settle(100);
    assert.equal(log.ran, upTo(log.ran.length), 'those that came first');
    assert.ok(log.ran.length >= 3 && log.ran.length <= 45, `${log.ran.length} ran`);
    const later = log.ran.length;
    log.add(100, { takes: 1, patience: 300 });
    await log.settle(101);
    assert.is(log.ran.length, later + 1, 'and takes the next');
  }),
);

queue('begins nothing without room, refuses what waits too long for it, and goes on when it is told', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock, 5);
    log.hasRoom = false;
    for (const number of upTo(3)) log.add(number, { patience: number === 0 ? 50 : 10_000 });
    await clock.move(100);
    assert.equal([log.ran, log.refused], [[], [0]]);
    log.hasRoom = true;
    log.waiting.wake();
    await log.settle(3);
    assert.equal(log.ran, [1, 2]);
  }),
);

queue('lets requests wait half as long while the line does not become empty', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    log.hasRoom = false;
    log.add(0, { patience: 100 });
    await clock.move(90);
    log.add(1, { patience: 100 });
    await clock.move(20);
    assert.equal(log.refused, [0]);
    log.add(2, { patience: 100 });
    await clock.move(45);
    assert.equal(log.refused, [0, 1]);
  }),
);

queue('leaves time for work when more arrives than it can refuse', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    const end = performance.now() + 1500;
    let count = 0;
    while (performance.now() < end) {
      // As if the sockets delivered this much in every turn.
      for (let each = 0; each < 50; each += 1) log.add(count++, { takes: 4, patience: 100 });
      clock.block(20);
      await turn();
    }
    await log.settle(count);
    assert.ok(log.ran.length > count / 50, `${log.ran.length} of ${count} ran: more than one in a turn`);
    assert.ok(log.refused.length > count / 3, `${log.refused.length} of ${count} refused`);
  }),
);

queue('lets more connections be accepted before it works on new ones, for a short time', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    const connect = (number: number): void => {
      log.waiting.noteConnection();
      log.add(number);
    };
    connect(0);
    await turn();
    await turn();
    assert.equal(log.ran, [0], 'nothing else was to be done');
    const order: number[] = [];
    for (const number of upTo(5)) {
      connect(number + 1);
      await turn();
      order.push(log.ran.length);
    }
    assert.equal(order, [1, 1, 1, 1, 1], 'every turn brought one more');
    await log.settle(6);
    assert.equal(log.ran, [0, 1, 2, 3, 4, 5]);
  }),
);

queue('refuses nothing while connections are accepted, for a short time', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    log.waiting.noteConnection();
    log.add(0);
    await turn();
    await turn();
    for (const number of upTo(4)) {
      log.waiting.noteConnection();
      log.add(number + 1, { patience: 2 });
      clock.block(4);
      await turn();
      assert.equal(log.refused, []);
    }
    await log.settle(5);
    assert.ok(log.refused.length > 0, 'those that were late are refused afterwards');
  }),
);

queue('does the same for connections whose requests are answered at once', () =>
  withMovedClock(async (clock) => {
    const log = new Log(clock);
    log.waiting.noteConnection();
    log.add(0);
    await turn();
    await turn();
    log.waiting.noteConnection();
    log.add(1);
    for (let each = 0; each < 5; each += 1) {
      await turn();
      log.waiting.noteConnection();
      assert.equal(log.ran, [0]);
    }
    await log.settle(2);
  }),
);

queue.run();
