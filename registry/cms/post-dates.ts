import { parseDate, toStamp, type Stamp, type Zone } from '../content/site-time.ts';
import { postError } from './errors.ts';
import { isFloating, type PostRecord } from './post-record.ts';

/** The dates of a write: absent as sent; null asks for "no date of its own". */
export interface DateArgs {
  readonly date?: string | null;
  readonly date_gmt?: string | null;
}

interface Clock {
  readonly now: number;
  readonly zone: Zone;
}

/** Statuses that do without a date of their own until they are published. */
const DATELESS: ReadonlySet<string> = new Set(['draft', 'pending']);

/** What the caller says of the date. `undefined`: nothing; `null`: clear it. @throws RestError `invalid_date` */
function wantedDate({ date, date_gmt: gmt }: DateArgs, zone: Zone): Stamp | null | undefined {
  if (date === null || gmt === null) return null;
  if (date === undefined && gmt === undefined) return undefined;
  const stamp = date === undefined ? parseDate(gmt as string, zone, 'gmt') : parseDate(date, zone, 'site');
  if (stamp === undefined) throw postError('invalid_date');
  return stamp;
}

/** Published posts wait for their date, and scheduled ones whose date is past are out. The order of dates as texts is theirs in time. */
function toDatedStatus(status: string, dateGmt: string, now: Stamp): string {
  if (status !== 'publish' && status !== 'future') return status;
  return dateGmt > now.date_gmt ? 'future' : 'publish';
}

export interface DatedStatus extends Stamp {
  readonly status: string;
}

/**
 * Date and status of a post after a write. A draft or pending post without a date floats: `date_gmt` is '' and `date` the time of the write.
 * `current`: the post as it is; null when it is being made.
 * @throws RestError `invalid_date`
 */
export function decideDate(wantedStatus: string, args: DateArgs, { current, clock: { now, zone } }: { current: PostRecord | null; clock: Clock }): DatedStatus {
  const wanted = wantedDate(args, zone);
  const stamp = toStamp(now, zone);
  if (wanted === null || (wanted === undefined && (current === null || isFloating(current)))) {
    const floats = DATELESS.has(wantedStatus);
    return { status: toDatedStatus(wantedStatus, stamp.date_gmt, stamp), date: stamp.date, date_gmt: floats ? '' : stamp.date_gmt };
  }
  const kept = wanted ?? { date: (current as PostRecord).date, date_gmt: (current as PostRecord).date_gmt };
  return { status: toDatedStatus(wantedStatus, kept.date_gmt, stamp), ...kept };
}

/**
 * When a post was modified after a write at this moment. It grows with every write, also when the clock is set back;
 * only the date, perhaps a future one, with which a post began that is not out gives way to the present.
 */
export function nextModified(current: PostRecord, { date, date_gmt: gmt }: Stamp): { readonly modified: string; readonly modified_gmt: string } {
  const isFirst = current.version === 1 && current.status !== 'publish' && current.modified_gmt === current.date_gmt;
  if (current.modified_gmt > gmt && !isFirst) return { modified: current.modified, modified_gmt: current.modified_gmt };
  return { modified: date, modified_gmt: gmt };
}
