import { engineError, RestError } from '../core/errors.ts';
import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';
import { kindOf } from '../core/objects.ts';
import type { Call, Permission } from '../route/call.ts';
import { Subject } from '../route/subject.ts';
import type { TimeLimit } from './time-limit.ts';

/** A permission function and the endpoint that names it. `where`: namespace, pattern and methods. */
interface Guard {
  readonly where: string;
  readonly permission: Permission;
}

/** The meaning of a verdict: the subject of the admitted call (null: none), or the refusal. */
type Judgement = Subject | RestError | null;

/** Only `true` and `subject(record)` admit, so that a mistake cannot open a route. @throws TypeError for any other value that does not refuse */
function judge(verdict: unknown, { where }: Guard, { endpoint }: Call): Judgement {
  if (verdict === true) return null;
  if (verdict === false || verdict === null || verdict === undefined) return engineError('rest_forbidden');
  if (verdict instanceof RestError || verdict instanceof Subject) return verdict;
  throw new TypeError(
    `${where}: the permission "${endpoint.permission}" returned ${kindOf(verdict)}; it must return true or subject(record) to admit, and false, null, undefined or a RestError to refuse`,
    verdict instanceof Error ? { cause: verdict } : undefined,
  );
}

/** Checks a permission. Calls and `Allow` both use this function. @throws RestError `rest_handler_timeout`, TypeError for a value that is not a verdict, or what the function throws */
export function askPermission(guard: Guard, call: Call, limit: TimeLimit): MaybePromise<Judgement> {
  return thenMaybe<unknown, Judgement>(
    limit.hold<unknown>(() => guard.permission(call.args, call)),
    (verdict) => judge(verdict, guard, call),
  );
}
