/** The longest time that a timer can be set for. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Work with a time limit. */
export interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  expire(): void;
}

// One timer for all deadlines of the process: most are gone long before their time, and a timer set and cleared for each
// costs more than the call that it guards. It is set for the earliest that it has met, and looks at the others then.
const deadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | null = null;
let due = Infinity;

/** Expires a deadline at its time, unless it is cleared before. The process stays alive while one is set. */
export function setDeadline(deadline: Deadline): void {
  deadlines.add(deadline);
  if (deadline.at < due) setTimer(deadline.at);
  else if (deadlines.size === 1) timer?.ref();
}

/** Forgets a deadline. */
export function clearDeadline(deadline: Deadline): void {
  if (deadlines.delete(deadline) && deadlines.size === 0) timer?.unref();
}

function setTimer(at: number): void {
  if (timer !== null) clearTimeout(timer);
  due = at;
  timer = setTimeout(expireAll, Math.min(LONGEST_MS, Math.ceil(at - performance.now())));
}

function expireAll(): void {
  timer = null;
  due = Infinity;
  const now = performance.now();
  let next = Infinity;
  const late: Deadline[] = [];
  for (const deadline of deadlines) {
    if (deadline.at > now) next = Math.min(next, deadline.at);
    else late.push(deadline);
  }
  expireInTurns(late.sort((left, right) => left.at - right.at), 0);
  if (next < due) setTimer(next);
}

/**
 * The earliest first, each millisecond with a turn of the event loop of its own: what a time has ended may still be
 * answered within a longer one, which is not over because of that.
 */
function expireInTurns(late: readonly Deadline[], from: number): void {
  const first = late[from];
  if (first === undefined) return;
  let index = from;
  for (let deadline: Deadline | undefined = first; deadline !== undefined && deadline.at < first.at + 1; deadline = late[++index]) {
    if (deadlines.delete(deadline)) deadline.expire();
  }
  setImmediate(expireInTurns, late, index);
}
