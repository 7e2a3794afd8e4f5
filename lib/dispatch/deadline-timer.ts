/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Work with a time limit. */
export interface Deadline {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  expire(): void;
}

// One timer serves all deadlines of the process. Most deadlines are cleared long before they expire, and a timer that is set and
// cleared for each would cost more than the call that it guards. The timer is set for the earliest deadline; then the others are checked.
const deadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | null = null;
let due = Infinity;

/** Expires a deadline at its time, unless it is cleared first. The process stays alive while a deadline is set. */
export function setDeadline(deadline: Deadline): void {
  deadlines.add(deadline);
  if (deadline.at < due) setTimer(deadline.at);
  else if (deadlines.size === 1) timer?.ref();
}

/** Removes a deadline. */
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
 * Expires the earliest deadlines first, those of each millisecond in a separate turn of the event loop. A call that contains an
 * expired call has a longer deadline, and can still respond within it.
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
