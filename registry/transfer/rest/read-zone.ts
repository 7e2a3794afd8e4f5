import { own } from '../../../lib/core/objects.ts';
import { toZone, type Zone } from '../../core/content/site-time.ts';
import type { ReadResult } from '../items/item.ts';
import type { ReadContext } from '../items/read-context.ts';
import type { Shown } from './rest-records.ts';

/** Characters of a wrong name in the report. */
const SHOWN = 80;

/** What is known of the site, and what is to be reported of its time zone. */
export interface Zoned {
  readonly context: ReadContext;
  readonly notes: readonly ReadResult[];
}

function findZone(name: string): Zone | null {
  try {
    return toZone(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** The time zone of the site that is read, which its dates are in. One that does not exist here is reported. */
export function withZone(context: ReadContext, index: Shown): Zoned {
  const [name = '', offset = ''] = ['timezone_string', 'gmt_offset']
    .map((field) => own(index, field))
    .map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
  const named = name === '' ? null : findZone(name);
  const zone = named ?? (offset === '' ? null : findZone(offset)) ?? context.zone;
  const reason = `it is not known here; dates are read in the zone ${zone.name === '' ? 'UTC' : zone.name}`;
  return {
    context: { ...context, zone },
    notes:
      name === '' || named !== null
        ? []
        : [{ leftOut: { place: 'the index', what: `the time zone ${name.slice(0, SHOWN)}`, reason } }],
  };
}
