import type { Call, Permission, Subject } from '../route/call.ts';
import { engineError, RestError } from '../core/errors.ts';
import { isIdentity } from '../core/identity.ts';
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

/** Members by which checks of other libraries say yes or no. */
const ANSWERS = ['allowed', 'authorized', 'granted', 'ok', 'permitted', 'success'] as const;

type Members = Readonly<Record<string, unknown>> & { readonly data?: { readonly status?: unknown } | null };

/** Plain objects that are returned by mistake, and are there whether or not the caller may do this. They must not admit as a subject. */
const MISTAKEN: readonly (readonly [kind: string, fits: (verdict: Members) => boolean])[] = [
  ['an object that looks like an error response', ({ status, data }) => isErrorStatus(status) || isErrorStatus(data?.status)],
  ['an object that says no', (verdict) => ANSWERS.some((name) => verdict[name] === false)],
  ['the result of find, which is an object also when nothing was found', ({ records, total }) => Array.isArray(records) && typeof total === 'number'],
  ['an identity, which anonymous callers have as well', (verdict) => 'capabilities' in verdict && isIdentity(verdict)],
];

/** Only `true` and a plain object admit, so that a mistake cannot open a route. @throws TypeError for any other value that does not refuse */
function judge(verdict: unknown, { where }: Guard, { endpoint }: Call): Judgement {
  if (verdict === true) return null;
  if (verdict === false || verdict === null || verdict === undefined) return engineError('rest_forbidden');
  if (verdict instanceof RestError) return verdict;
  const isPlain = typeof verdict === 'object' && isPlainObject(verdict);
  const mistaken = isPlain ? MISTAKEN.find(([, fits]) => fits(verdict as Members)) : undefined;
  if (isPlain && mistaken === undefined) return verdict;
  const returned = mistaken?.[0] ?? kindOf(verdict);
  throw new TypeError(
    `${where}: the permission "${endpoint.permission}" returned ${returned}; it must return true or a plain object to admit, and false, null, undefined or a RestError to refuse`,
    verdict instanceof Error ? { cause: verdict } : undefined,
  );
}

/** Checks a permission. Calls and `Allow` both use this function. @throws RestError `rest_handler_timeout`, TypeError for a value that is not a verdict, or what the function throws */
export function askPermission(guard: Guard, call: Call, limit: TimeLimit): MaybePromise<Judgement> {
  return thenMaybe<unknown, Judgement>(limit.hold<unknown>(() => guard.permission(call.args, call)), (verdict) => judge(verdict, guard, call));
}
