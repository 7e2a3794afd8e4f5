import { own } from '../../lib/core/objects.ts';
import { toZone } from '../content/site-time.ts';
import type { Found, Item } from './item.ts';

/** Settings by which the dates of a site are read. */
const ZONES: ReadonlySet<unknown> = new Set(['timezone_string', 'gmt_offset']);

function isZone(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  try {
    toZone(String(value));
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

function isUnknownZone({ collection, values }: Item): boolean {
  return collection === 'options' && own(values, 'group') === 'site' && ZONES.has(own(values, 'key')) && !isZone(own(values, 'value'));
}

/** Leaves out time zones that do not exist: a site with one could not show a date. */
export async function* dropUnknownZones(found: AsyncIterable<Found>): AsyncGenerator<Found> {
  for await (const each of found) {
    if (!('item' in each) || !isUnknownZone(each.item)) yield each;
    else yield { leftOut: { place: each.item.place, what: `setting ${String(own(each.item.values, 'key'))}`, reason: `${JSON.stringify(own(each.item.values, 'value') ?? null).slice(0, 80)} is not a time zone such as Europe/Paris or +02:00` } };
  }
}
