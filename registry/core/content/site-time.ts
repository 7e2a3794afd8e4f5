/** A moment in the two forms in which records store it: `date` in site time and `date_gmt`, both `YYYY-MM-DDTHH:MM:SS`. */
export interface Stamp {
  readonly date: string;
  readonly date_gmt: string;
}

/** A time zone. `offsetAt`: milliseconds to add to GMT to get site time, at this moment (epoch milliseconds). */
export interface Zone {
  /** Name of the zone, such as `Europe/Paris`; '' if only its offset is known. */
  readonly name: string;
  /** Milliseconds east of Greenwich at a moment (milliseconds since 1970). */
  readonly offsetAt: (moment: number) => number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
// No zone changes its offset twice within a week, so equal offsets at both ends apply to the whole week.
const BUCKET = 7 * DAY;
const MAX_BUCKETS = 2_000;
const MAX_ZONES = 600;
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('9999-12-31T23:59:59Z') + 1000;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,30})?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?$/;
const FIXED_OFFSET = /^(?:UTC|GMT)?([+-]?)(\d{1,2})(?::([0-5]\d)|\.(\d{1,2}))?$/i;

const zones = new Map<string, Zone>();

function readOffset(formatter: Intl.DateTimeFormat, moment: number): number {
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatter.format(moment));
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}

function createNamedZone(name: string): Zone {
  // Newer versions of Node take offsets as names, and those of up to 23:59.
  if (/^[+-]/.test(name)) throw new RangeError(`There is no time zone ${name}.`);
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const buckets = new Map<number, number | undefined>();
  const readBucket = (bucket: number): number | undefined => {
    const first = readOffset(formatter, bucket * BUCKET);
    const constant = first === readOffset(formatter, (bucket + 1) * BUCKET - 1) ? first : undefined;
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    buckets.set(bucket, constant);
    return constant;
  };
  return {
    name,
    offsetAt: (moment) => {
      const bucket = Math.floor(moment / BUCKET);
      const constant = buckets.has(bucket) ? buckets.get(bucket) : readBucket(bucket);
      return constant ?? readOffset(formatter, moment);
    },
  };
}

function toFixedOffset(name: string): number | undefined {
  if (name === '' || /^(?:UTC|GMT|Z)$/i.test(name)) return 0;
  const [whole, sign, hours, minutes, fraction] = FIXED_OFFSET.exec(name) ?? [];
  if (whole === undefined) return undefined;
  const size =
    Number(hours) * 60 +
    (fraction === undefined ? Number(minutes ?? 0) : Math.round(Number(`0.${fraction}`) * 60));
  if (size > 14 * 60) return undefined;
  return (sign === '-' ? -size : size) * MINUTE;
}

/**
 * The zone of this name: an IANA name (`Europe/Amsterdam`), a fixed offset (`+02:00`, `UTC+2`, `-3.5`, `5.75` hours), `UTC` or empty.
 * @throws RangeError if the zone does not exist
 */
export function toZone(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const fixed = toFixedOffset(name);
  const zone = fixed === undefined ? createNamedZone(name) : { name, offsetAt: () => fixed };
  if (zones.size < MAX_ZONES) zones.set(name, zone);
  return zone;
}

/** As `toZone`; null: there is no such zone. */
export function findZone(name: string): Zone | null {
  try {
    return toZone(name);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Epoch milliseconds of a GMT text. */
export function toEpoch(dateGmt: string): number {
  return Date.parse(`${dateGmt}Z`);
}

/** Milliseconds since 1970 as GMT in the format of `date_gmt`, which sorts by time as text. */
export function toTimeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19);
}

/**
 * The moment of a local time that is given as if it were GMT. Decides as PHP does, which first looks up the offset at that wrong moment.
 * An hour that is skipped in spring therefore moves forward. Of an hour that is repeated in autumn, zones at or east of Greenwich use the
 * second (standard time: recorded cases create-date-025 and -026), and zones west of it the first (summer time; the rule of PHP, not recorded).
 */
function toMoment(local: number, zone: Zone): number {
  const first = zone.offsetAt(local);
  const second = zone.offsetAt(local - first);
  if (first === second) return local - first;
  if (zone.offsetAt(local - second) === second) return local - second;
  return local - Math.min(first, second);
}

function writeStamp(seconds: number, zone: Zone): Stamp {
  const offset = zone.offsetAt(seconds);
  const gmt = toTimeText(seconds);
  return Object.freeze({ date: offset === 0 ? gmt : toTimeText(seconds + offset), date_gmt: gmt });
}

/** Both forms of a moment (epoch milliseconds; fractions of a second are dropped). */
export function toStamp(moment: number, zone: Zone): Stamp {
  return writeStamp(Math.floor(moment / 1000) * 1000, zone);
}

/** Converts site time to GMT, as texts. */
export function toGmt(date: string, zone: Zone): string {
  return toTimeText(toMoment(toEpoch(date), zone));
}

/** Converts GMT to site time, as texts. */
export function toSiteTime(dateGmt: string, zone: Zone): string {
  return writeStamp(toEpoch(dateGmt), zone).date;
}

// Days beyond the end of the month roll over (30 February is 1 or 2 March): recorded case create-date-028.
function readClock(match: RegExpExecArray): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Not `Date.UTC`, which reads the years 1 to 99 as 1901 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}

/**
 * Parses a date parameter: `YYYY-MM-DDThh:mm:ss`, optionally with a space instead of the T, a fraction (dropped), and `Z` or `±hh:mm`.
 * `base`: the zone of a text without an offset, default site time. Undefined if it is not such a date or outside the years 1 to 9999.
 */
export function parseDate(text: string, zone: Zone, base: 'site' | 'gmt' = 'site'): Stamp | undefined {
  const match = DATE_TIME.exec(text);
  const clock = match === null ? undefined : readClock(match);
  if (match === null || clock === undefined) return undefined;
  const [utc, sign, hours, minutes = '0'] = match.slice(7);
  if (Number(hours ?? 0) > 15 || Number(minutes) > 59) return undefined;
  const shift =
    sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -MINUTE : MINUTE);
  const absolute = base === 'gmt' || utc !== undefined || sign !== undefined;
  const moment = absolute ? clock - shift : toMoment(clock, zone);
  const local = moment + zone.offsetAt(moment);
  if (Math.min(moment, local) < YEAR_1 || Math.max(moment, local) >= YEAR_10000) return undefined;
  return writeStamp(moment, zone);
}

/** Whether a text that `parseDate` reads is a day that exists: `Date` reads a day beyond the end of a month as one of the next month. */
export const isRealDate = (text: string, zone: Zone): boolean =>
  parseDate(text, zone) !== undefined && new Date(`${text}Z`).toISOString().startsWith(text);
