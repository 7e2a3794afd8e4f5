/** The form of `every` of a task. */
export const EVERY: RegExp = /^(?:[1-9]\d{0,4}[smh]|(?:[1-9]|[12]\d|30)d)$/;

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Milliseconds of `30s`, `15m`, `1h` or `7d`. */
export function toPeriodMs(every: string): number {
  return Number(every.slice(0, -1)) * (UNIT_MS.get(every.at(-1) ?? '') ?? 0);
}
