import { type Stamp, type Zone, toStamp, parseDate } from '../content/site-time.ts';
import { postError } from '../records/post-errors.ts';
import { DATELESS, isFloating, type PostRecord } from '../records/post-record.ts';

/** The dates of a write. Absent if not sent; null asks for no fixed date. */
interface DateArgs {
  readonly date?: string | null;
  readonly date_gmt?: string | null;
}

interface Clock {
  readonly now: number;
  readonly zone: Zone;
}

interface DatedStatus extends Stamp {
  readonly status: string;
}

/** The date that the caller wants. `undefined`: not sent; `null`: clear it. @throws RestError `invalid_date` */
export function wantedDate({ date, date_gmt: gmt }: DateArgs, zone: Zone): Stamp | null | undefined {
  if (date === null || gmt === null) return null;
  if (date === undefined && gmt === undefined) return undefined;
  const stamp = date === undefined ? parseDate(gmt as string, zone, 'gmt') : parseDate(date, zone, 'site');
  if (stamp === undefined) throw postError('invalid_date');
  return stamp;
}

/** A published post with a future date becomes scheduled, and a scheduled post with a past date becomes published. Dates in this format sort as text. */
function toDatedStatus(status: string, dateGmt: string, now: Stamp): string {
  if (status !== 'publish' && status !== 'future') return status;
  return dateGmt > now.date_gmt ? 'future' : 'publish';
}

/**
 * Date and status of a post after a write. A draft or pending post without a date floats: `date_gmt` is '' and `date` is the time of the write.
 * `current`: the stored post; null for a new post.
 * @throws RestError `invalid_date`
 */
export function decideDate(
  wantedStatus: string,
  args: DateArgs,
  { current, clock: { now, zone } }: { current: PostRecord | null; clock: Clock },
): DatedStatus {
  const wanted = wantedDate(args, zone);
  const stamp = toStamp(now, zone);
  if (wanted === null || (wanted === undefined && (current === null || isFloating(current)))) {
    const floats = DATELESS.has(wantedStatus);
    return {
      status: toDatedStatus(wantedStatus, stamp.date_gmt, stamp),
      date: stamp.date,
      date_gmt: floats ? '' : stamp.date_gmt,
    };
  }
  const kept = wanted ?? { date: (current as PostRecord).date, date_gmt: (current as PostRecord).date_gmt };
  return { status: toDatedStatus(wantedStatus, kept.date_gmt, stamp), ...kept };
}

/**
 * The modification date of a post that is written at this moment. It never goes back, even if the clock is set back.
 * The only exception is an unpublished post that was never changed: its first date may be in the future and is replaced by the current time.
 */
export function nextModified(
  current: Pick<PostRecord, 'version' | 'status' | 'date_gmt' | 'modified' | 'modified_gmt'>,
  { date, date_gmt: gmt }: Stamp,
): { readonly modified: string; readonly modified_gmt: string } {
  const isFirst =
    current.version === 1 && current.status !== 'publish' && current.modified_gmt === current.date_gmt;
  if (current.modified_gmt > gmt && !isFirst)
    return { modified: current.modified, modified_gmt: current.modified_gmt };
  return { modified: date, modified_gmt: gmt };
}
