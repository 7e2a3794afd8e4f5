/** Time zone of the recorded site. */
const ZONE = 'Europe/Amsterdam';

/** Format of a date with time in responses. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const TOLERANCE_MS = 15 * 60_000;

const SITE_TIME = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A time in the time zone of the site. */
export function toSiteTime(ms: number): string {
  const parts = Object.fromEntries(SITE_TIME.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}`;
}

/** A time in GMT. */
export function toGmtTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** Whether the text is a date within 15 minutes of now. */
export function isAboutNow(text: unknown, toText: (ms: number) => string): boolean {
  if (typeof text !== 'string' || !DATE_TIME.test(text)) return false;
  return Math.abs(Date.parse(`${text}Z`) - Date.parse(`${toText(Date.now())}Z`)) < TOLERANCE_MS;
}
