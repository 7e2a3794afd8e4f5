import { engineError } from '../../lib/core/errors.ts';
import { can } from '../../lib/core/identity.ts';
import { type Permission, subject } from '../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import { defineNamespace, type Namespace } from '../../lib/route/namespace.ts';
import type { StoredRecord } from '../../lib/store/store.ts';

// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
interface Post extends StoredRecord {
  readonly title: string;
}
interface Plain {
  readonly id: number;
}

/** Everything that a permission function may return. */
export function listVerdicts(
  post: Post | null,
  plain: Plain,
  members: Readonly<Record<string, unknown>>,
): readonly Permission[] {
  return [
    (_args, call) => can(call.identity, 'manage_options'),
    (_args, call) => can(call.identity, 'manage_options') || engineError('rest_no_route'),
    async (_args, call) => can(call.identity, 'manage_options'),
    () => engineError('rest_forbidden'),
    async () => post && subject(post),
    () => (post === null ? engineError('rest_no_route') : subject(post)),
    () => subject(plain),
    () => subject(members),
    () => subject({ claims: null }),
    () => undefined,
    async () => null,
    () => {
      throw engineError('rest_forbidden');
    },
  ];
}

/** Everything else does not compile. */
export function listMistakenVerdicts(
  post: Post,
  members: Readonly<Record<string, unknown>>,
): readonly Permission[] {
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
    // @ts-expect-error an object that says no
    () => ({ allowed: false, reason: 'no' }),
    // @ts-expect-error a bare record
    () => post,
    // @ts-expect-error the same, later
    async () => post,
    // @ts-expect-error any other bare object
    () => members,
    // @ts-expect-error no record
    () => subject(null),
    // @ts-expect-error a text
    () => subject('no'),
  ];
}

const id = { type: 'integer' } as const;
const guarded = {
  namespace: 'posts',
  routes: [
    {
      pattern: '/posts/{id}',
      endpoints: [
        { methods: ['GET'], handler: 'run', permission: 'own', args: { id } },
        {
          methods: ['PATCH'],
          handler: 'run',
          permission: 'own',
          args: { id, state: { type: 'string', enum: ['open', 'closed'], required: true } },
        },
        {
          methods: ['PUT'],
          handler: 'run',
          permission: 'write',
          args: { id, title: { type: 'string', required: true } },
        },
        { methods: ['DELETE'], handler: 'run', permission: 'public', args: { id } },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
const run = (): number => 1;
const ofAny: Permission = (args, call) => can(call.identity, String(args['id']));

/** Permission functions get the args of the endpoints that name them. */
export function listGuards(): readonly Namespace[] {
  return [
    defineNamespace(
      guarded,
      { run },
      { permissions: { own: (args, { identity }) => args.id === identity.id } },
    ),
    defineNamespace(
      guarded,
      { run },
      { permissions: { own: (args) => 'state' in args && args.state === 'open', write: ofAny } },
    ),
    // Asked for `Allow`, it gets the args of the path alone.
    defineNamespace(
      guarded,
      { run },
      { permissions: { write: ({ title }) => title === undefined || title.length > 3 } },
    ),
    defineNamespace(guarded as NamespaceDescriptor, { run } as never, {
      permissions: { other: (args) => args['id'] === 1 },
    }),
    // @ts-expect-error no endpoint names it
    defineNamespace(guarded, { run }, { permissions: { onw: () => true } }),
    // @ts-expect-error an arg that no endpoint has
    defineNamespace(guarded, { run }, { permissions: { own: ({ idd }) => idd === 1 } }),
    // @ts-expect-error an arg that may be missing
    defineNamespace(guarded, { run }, { permissions: { write: ({ title }) => title.length > 3 } }),
    // @ts-expect-error public is for everybody
    defineNamespace(guarded, { run }, { permissions: { public: () => true } }),
  ];
}
