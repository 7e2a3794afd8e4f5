// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
import type { Permission } from '../../lib/route/call.ts';
import { engineError } from '../../lib/core/errors.ts';
import { can } from '../../lib/core/identity.ts';
import type { StoredRecord } from '../../lib/store/store.ts';

interface Post extends StoredRecord { readonly title: string }
interface Plain { readonly id: number }

/** Everything that a permission function may return. */
export function listVerdicts(post: Post | null, plain: Plain, members: Readonly<Record<string, unknown>>): readonly Permission[] {
  return [
    (_args, call) => can(call.identity, 'manage_options'),
    (_args, call) => can(call.identity, 'manage_options') || engineError('rest_no_route'),
    async (_args, call) => can(call.identity, 'manage_options'),
    () => engineError('rest_forbidden'),
    async () => post,
    () => post ?? engineError('rest_no_route'),
    () => plain,
    () => members,
    () => ({ claims: null }),
    () => undefined,
    async () => null,
    () => { throw engineError('rest_forbidden'); },
  ];
}

/** Everything else does not compile. */
export function listMistakenVerdicts(): readonly Permission[] {
  return [
    // @ts-expect-error a text
    () => 'no',
    // @ts-expect-error a number
    () => 0,
    // @ts-expect-error a number, later
    async () => 1,
    // @ts-expect-error an error that is no RestError
    () => new Error('no'),
    // @ts-expect-error the same, later
    async () => new TypeError('no'),
    // @ts-expect-error a list
    () => [true],
    // @ts-expect-error a Map
    () => new Map(),
    // @ts-expect-error a function
    () => () => true,
    // @ts-expect-error a date
    () => new Date(),
    // @ts-expect-error a promise of a text
    () => Promise.resolve('no'),
    // @ts-expect-error a symbol
    () => Symbol('yes'),
  ];
}
