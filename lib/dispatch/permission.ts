import type { Call, Permission, Subject } from '../route/call.ts';
import { engineError, RestError } from '../core/errors.ts';
import { isPlainObject, kindOf } from '../core/objects.ts';
import type { TimeLimit } from './time-limit.ts';
import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';

/** A permission function and the endpoint that names it. `where`: namespace, pattern and methods. */
interface Guard {
  readonly where: string;
  readonly permission: Permission;
}

/** The meaning of a verdict: the subject of the admitted call (null: none), or the refusal. */
type Judgement = Subject | RestError | null;

const isErrorStatus = (status: unknown): boolean => typeof status === 'number' && status >= 400 && status <= 599;

/** Whether the object is `{ status: 403 }` or the body of an error response. It was meant to refuse, so it must not admit as a subject. */
function looksLikeRefusal({ status, data }: { readonly status?: unknown; readonly data?: { readonly status?: unknown } | null }): boolean {
  return isErrorStatus(status) || isErrorStatus(data?.status);
}

/** Only `true` and a plain object admit, so that a mistake cannot open a route. @throws TypeError for any other value that does not refuse */
function judge(verdict: unknown, { where }: Guard, { endpoint }: Call): Judgement {
  if (verdict === true) return null;
  if (verdict === false || verdict === null || verdict === undefined) return engineError('rest_forbidden');
  if (verdict instanceof RestError) return verdict;
  const isPlain = typeof verdict === 'object' && isPlainObject(verdict);
  if (isPlain && !looksLikeRefusal(verdict)) return verdict;
  const returned = isPlain ? 'an object that looks like an error response' : kindOf(verdict);
  throw new TypeError(
    `${where}: the permission "${endpoint.permission}" returned ${returned}; it must return true or a plain object to admit, and false, null, undefined or a RestError to refuse`,
    verdict instanceof Error ? { cause: verdict } : undefined,
  );
}

/** Checks a permission. Calls and `Allow` both use this function. @throws RestError `rest_handler_timeout`, TypeError for a value that is not a verdict, or what the function throws */
export function askPermission(guard: Guard, call: Call, limit: TimeLimit): MaybePromise<Judgement> {
  return thenMaybe<unknown, Judgement>(limit.hold<unknown>(() => guard.permission(call.args, call)), (verdict) => judge(verdict, guard, call));
}
