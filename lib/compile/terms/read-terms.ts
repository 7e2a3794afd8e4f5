import { type DocumentRule, objectOf } from '../../core/check-document.ts';
import { isObject } from '../../core/objects.ts';

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['day', 86_400],
]);
const RATE = /^([1-9]\d{0,8})\/(s|min|h|day)$/;

/** A rate: so many calls in so many seconds. */
export interface Rate {
  readonly calls: number;
  readonly seconds: number;
}

/** Reads `60/min`. null for any other text. */
export function readRate(text: unknown): Rate | null {
  const [, calls, unit = ''] = RATE.exec(typeof text === 'string' ? text : '') ?? [];
  const seconds = SECONDS.get(unit);
  return seconds === undefined ? null : { calls: Number(calls), seconds };
}

/** Epoch seconds of a date `2027-06-30`. null for any other text. */
export function readDate(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? null : time / 1000;
}

/** What `limit`, `idempotent` and `deprecated` of an endpoint must be. */
export const TERM_RULES = {
  limit: objectOf({
    per: {
      needed: true,
      wanted: "'caller' or 'address'",
      fits: (value) => value === 'caller' || value === 'address',
    },
    rate: {
      needed: true,
      wanted: "a number of calls in s, min, h or day, such as '60/min'",
      fits: (value) => readRate(value) !== null,
    },
  }),
  deprecated: {
    wanted:
      "true, or an object { since: '2027-01-01', sunset: '2027-12-31', use: '/v2/notes' } with dates in order; leave it out otherwise",
    fits: (value) => value === true || fitsDeprecation(value),
  },
} as const satisfies Readonly<Record<string, DocumentRule>>;

function fitsDeprecation(value: unknown): boolean {
  if (!isObject(value) || !Object.keys(value).every((name) => ['since', 'sunset', 'use'].includes(name)))
    return false;
  const { since, sunset, use } = value;
  const [began, ends] = [readDate(since), sunset === undefined ? Infinity : readDate(sunset)];
  return (
    began !== null &&
    ends !== null &&
    began <= ends &&
    (use === undefined ||
      (typeof use === 'string' && /^(?:\/|https?:\/\/)[\x21\x23-\x3b\x3d\x3f-\x7e]*$/.test(use)))
  );
}
