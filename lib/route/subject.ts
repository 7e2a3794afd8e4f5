import { kindOf, brand } from '../core/objects.ts';

/** The verdict of a permission function that admits a call and gives its handler a record; see `subject`. */
export class Subject<T extends object = object> {
  /** What the handler gets as `call.subject`. */
  readonly record: T;

  constructor(record: T) {
    this.record = record;
  }
}

brand(Subject, 'Subject');

/** The record that a permission function admits with. */
type RecordOfVerdict<V> = V extends Subject<infer T> ? T : never;

/**
 * The record that the permission function of the call has checked, with the type that the function gives it.
 * `permission`: the function that the endpoint names. @throws TypeError if it admitted the call without a record
 * @example
 * const note = subjectFrom(call, mayEdit);
 */
export function subjectFrom<P extends (...args: never) => unknown>(
  { subject: record }: { readonly subject: unknown },
  permission: P,
): RecordOfVerdict<Awaited<ReturnType<P>>> {
  if (record === null)
    throw new TypeError(
      `subjectFrom: the permission of this call gave no record${permission.name === '' ? '' : `; ${permission.name} must be the one that the endpoint names`}`,
    );
  return record as RecordOfVerdict<Awaited<ReturnType<P>>>;
}

const isMistaken = (record: unknown): boolean =>
  typeof record !== 'object' ||
  record === null ||
  Array.isArray(record) ||
  record instanceof Error ||
  record instanceof Subject ||
  'then' in record;

/**
 * Admits a call and hands the record that was checked to its handler as `call.subject`. Permission functions return it; the bare record is refused,
 * because many objects mean no (`{ allowed: 0 }`, `{ rows: [] }`).
 * @throws TypeError for anything but a record: null, a list, a promise, an error
 */
export function subject<T extends object>(record: T): Subject<T> {
  if (isMistaken(record))
    throw new TypeError(
      `subject() was given ${kindOf(record)}; it takes the record that the permission function has checked`,
    );
  return new Subject(record);
}
