import type { Call, Permission, Subject } from '../route/call.ts';
import { engineError, RestError } from '../core/errors.ts';
import { isPlainObject, kindOf } from '../core/objects.ts';
import type { TimeLimit } from './time-limit.ts';
import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';

/** A permission function, and the endpoint that names it: namespace, pattern and methods. */
interface Guard {
  readonly where: string;
  readonly permission: Permission;
}

/** What the answer of a permission function means: the subject of the admitted call (null: none), or the refusal. */
type Judgement = Subject | RestError | null;

const isErrorStatus = (status: unknown): boolean => typeof status === 'number' && status >= 400 && status <= 599;

/** `{ status: 403 }`, or the body of an error answer: written to refuse, so it must not admit as a subject. */
function looksLikeRefusal({ status, data }: { readonly status?: unknown; readonly data?: { readonly status?: unknown } | null }): boolean {
  return isErrorStatus(status) || isErrorStatus(data?.status);
}

/** Only `true` and a plain object admit, so that a mistake cannot open a route. @throws TypeError for what is neither an admission nor a refusal */
function judge(verdict: unknown, { where }: Guard, { endpoint }: Call): Judgement {
  if (verdict === true) return null;
  if (verdict === false || verdict === null || verdict === undefined) return engineError('rest_forbidden');
  if (verdict instanceof RestError) return verdict;
  const isPlain = typeof verdict === 'object' && isPlainObject(verdict);
  if (isPlain && !looksLikeRefusal(verdict)) return verdict;
  const returned = isPlain ? 'an object that reads as an error answer' : kindOf(verdict);
  throw new TypeError(
    `${where}: the permission "${endpoint.permission}" returned ${returned}; it must return true or a plain object to admit, and false, null, undefined or a RestError to refuse`,
    verdict instanceof Error ? { cause: verdict } : undefined,
  );
}

/** Asks whether the caller may. The one judge of permission functions, for calls and for `Allow`. @throws RestError `rest_handler_timeout`, TypeError for a verdict that is none, or what the function throws */
export function askPermission(guard: Guard, call: Call, limit: TimeLimit): MaybePromise<Judgement> {
  return thenMaybe<unknown, Judgement>(limit.hold<unknown>(() => guard.permission(call.args, call)), (verdict) => judge(verdict, guard, call));
}
