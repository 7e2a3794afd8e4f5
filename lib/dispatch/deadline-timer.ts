/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Work with a time limit. */
export interface Deadline {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  expire(): void;
  /** Set by the timer: its place among the deadlines. Absent or -1: it is not set. */
  place?: number;
}

// One timer serves all deadlines of the process. Most deadlines are cleared long before they expire, and a timer that is set and
// cleared for each would cost more than the call that it guards. The timer is set for the earliest deadline; then the others are checked.
// They stand in an array, because V8 makes a Set that is often filled and emptied smaller and larger each time.
const deadlines: Deadline[] = [];
let timer: NodeJS.Timeout | null = null;
let due = Infinity;

/** Expires a deadline at its time, unless it is cleared first. The process stays alive while a deadline is set. */
export function setDeadline(deadline: Deadline): void {
  if ((deadline.place ?? -1) === -1) deadline.place = deadlines.push(deadline) - 1;
  if (deadline.at < due) setTimer(deadline.at);
  else if (deadlines.length === 1) timer?.ref();
}

/** Removes a deadline. */
export function clearDeadline(deadline: Deadline): void {
  if (remove(deadline) && deadlines.length === 0) timer?.unref();
}

/** Puts the last deadline in the place of this one. Returns false if it was not set. */
function remove(deadline: Deadline): boolean {
  const { place = -1 } = deadline;
  if (place === -1) return false;
  const last = deadlines.pop() as Deadline;
  if (last !== deadline) deadlines[place] = last;
  last.place = place;
  deadline.place = -1;
  return true;
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
  expireInTurns(
    late.sort((left, right) => left.at - right.at),
    0,
  );
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
  for (
    let deadline: Deadline | undefined = first;
    deadline !== undefined && deadline.at < first.at + 1;
    deadline = late[++index]
  ) {
    if (remove(deadline)) deadline.expire();
  }
  setImmediate(expireInTurns, late, index);
}
