/** The longest time that a timer can be set for. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Something that is to be told when its time has come. */
export interface Sleeper {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  wake(): void;
}

// One timer for all sleepers of the process: most are gone long before their time, and a timer set and cleared for each
// costs more than the call that it guards. It is set for the earliest that it has met, and looks at the others then.
const sleepers = new Set<Sleeper>();
let timer: NodeJS.Timeout | null = null;
let due = Infinity;

/** Lets a sleeper be woken at its time, unless it is cleared before. The process does not end while one waits. */
export function setAlarm(sleeper: Sleeper): void {
  sleepers.add(sleeper);
  if (sleeper.at < due) setTimer(sleeper.at);
  else if (sleepers.size === 1) timer?.ref();
}

/** Lets a sleeper sleep on. */
export function clearAlarm(sleeper: Sleeper): void {
  if (sleepers.delete(sleeper) && sleepers.size === 0) timer?.unref();
}

function setTimer(at: number): void {
  if (timer !== null) clearTimeout(timer);
  due = at;
  timer = setTimeout(wakeAll, Math.min(LONGEST_MS, Math.ceil(at - performance.now())));
}

function wakeAll(): void {
  timer = null;
  due = Infinity;
  const now = performance.now();
  let next = Infinity;
  const late: Sleeper[] = [];
  for (const sleeper of sleepers) {
    if (sleeper.at > now) next = Math.min(next, sleeper.at);
    else late.push(sleeper);
  }
  wakeInTurns(late.sort((left, right) => left.at - right.at), 0);
  if (next < due) setTimer(next);
}

/**
 * The earliest first, each millisecond with a turn of the event loop of its own: what a time has ended may still be
 * answered within a longer one, which is not over because of that.
 */
function wakeInTurns(late: readonly Sleeper[], from: number): void {
  const first = late[from];
  if (first === undefined) return;
  let index = from;
  for (let sleeper: Sleeper | undefined = first; sleeper !== undefined && sleeper.at < first.at + 1; sleeper = late[++index]) {
    if (sleepers.delete(sleeper)) sleeper.wake();
  }
  setImmediate(wakeInTurns, late, index);
}
