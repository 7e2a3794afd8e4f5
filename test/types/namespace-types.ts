import { defineNamespace } from '../../lib/route/namespace.ts';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgsOf, Handlers } from '../../lib/route/args.ts';

// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
const SHOP = {
  namespace: 'shop/v1',
  routes: [
    {
      pattern: '/shop/v1/(?P<kind>[\\w]+)/(?P<id>[\\d]+)', endpoints: [
        {
          methods: ['GET'], handler: 'read', permission: 'public', args: {
            id: { type: 'integer' }, page: { type: 'int', default: 1 }, search: { type: 'string' }, sort: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
            ids: { type: 'array', items: { type: 'integer' } }, on: { type: 'bool', required: true }, when: { type: ['string', 'null'] }, free: {},
            nested: { type: 'object', properties: { sure: { type: 'string', required: true }, filled: { type: 'integer', default: 3 }, maybe: { type: 'boolean' } } },
            either: { oneOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'object', properties: { operator: { type: 'string', default: 'OR' } } }] },
          },
        },
        { methods: ['POST'], handler: 'write', permission: 'public', args: { name: { type: 'string', required: true } }, body: { hidden: { type: 'integer' } } },
      ],
    },
    { pattern: '/shop/v1', endpoints: [{ methods: ['GET'], handler: 'list', permission: 'public', args: {} }] },
  ],
} as const satisfies NamespaceDescriptor;

const SLOTS = {
  namespace: 'slots',
  routes: [{ pattern: '/slots/(?P<code>[a-z]{2})/{slot}', endpoints: [{ methods: ['GET'], handler: 'slot', permission: 'public', args: { slot: { type: 'integer' } } }] }],
} as const satisfies NamespaceDescriptor;

type Slot = Parameters<Handlers<typeof SLOTS>['slot']>[0];

type Args = { readonly [Id in keyof Handlers<typeof SHOP>]: Parameters<Handlers<typeof SHOP>[Id]>[0] };

/** Compiles only where both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

export const HELD = {
  'a declared path group is certain': true satisfies Same<Args['read']['id'], number>,
  'an undeclared path group is a text': true satisfies Same<Args['read']['kind'], string>,
  'a group takes the type of its parameter, and a repetition is no group': true satisfies Same<[keyof Slot, Slot['slot'], Slot['code']], ['code' | 'slot', number, string]>,
  'path groups are there for every endpoint': true satisfies Same<Args['write']['id'], string>,
  'a default makes a member certain': true satisfies Same<Args['read']['page'], number>,
  'required makes a member certain': true satisfies Same<Args['read']['on'], boolean>,
  'an enum becomes its words': true satisfies Same<Args['read']['sort'], 'asc' | 'desc'>,
  'anything else may be missing': true satisfies Same<Args['read']['search'], string | undefined>,
  'a list is read-only': true satisfies Same<Args['read']['ids'], readonly number[] | undefined>,
  'null is a value where the type says so': true satisfies Same<Args['read']['when'], string | null | undefined>,
  'what has no type is unknown': true satisfies Same<Args['read']['free'], unknown>,
  'the hidden schema counts': true satisfies Same<Args['write']['hidden'], number | undefined>,
  'a required member of an object is certain': true satisfies Same<NonNullable<Args['read']['nested']>['sure'], string>,
  'a default inside of an object fills nothing in': true satisfies Same<NonNullable<Args['read']['nested']>['filled'], number | undefined>,
  'a default inside of a branch does': true satisfies Same<Extract<NonNullable<Args['read']['either']>, { readonly operator: unknown }>['operator'], string>,
  'args of a table': true satisfies Same<ArgsOf<{ readonly a: { readonly type: 'integer'; readonly default: 1 } }>['a'], number>,
} as const;

const handlers = {
  read: ({ id, kind }: { id: number; kind: string }) => [id, kind],
  write: ({ name }: { name: string }) => name,
  list: () => [],
};

/** A namespace that compiles, and every way not to write one. */
export function refuseMistakes(): void {
  defineNamespace(SHOP, handlers);
  defineNamespace(SHOP, { ...handlers, read: ({ page }) => page.toFixed(), write: ({ id }) => id.toUpperCase() });

  // @ts-expect-error a handler id is missing
  defineNamespace(SHOP, { read: handlers.read, write: handlers.write });
  // @ts-expect-error a handler id that no endpoint names
  defineNamespace(SHOP, { ...handlers, remove: () => null });
  // @ts-expect-error a handler id with a letter too many
  defineNamespace(SHOP, { read: handlers.read, write: handlers.write, lists: handlers.list });
  // @ts-expect-error the id is a number
  defineNamespace(SHOP, { ...handlers, read: ({ id }: { id: string }) => id });
  // @ts-expect-error a member that may be missing is taken for certain
  defineNamespace(SHOP, { ...handlers, read: ({ search }: { search: string }) => search });
  // @ts-expect-error the same without writing the type
  defineNamespace(SHOP, { ...handlers, read: ({ search }) => search.length });
  // @ts-expect-error there is no such member
  defineNamespace(SHOP, { ...handlers, read: ({ other }) => other });
  // @ts-expect-error a word that the enum does not have
  defineNamespace(SHOP, { ...handlers, read: ({ sort }) => sort === 'up' });
  // @ts-expect-error args are not changed
  defineNamespace(SHOP, { ...handlers, read: (args) => { args.page = 2; } });
  // @ts-expect-error a default inside of an object fills nothing in
  defineNamespace(SHOP, { ...handlers, read: ({ nested }) => nested?.filled.toFixed() });

  // @ts-expect-error an endpoint without permission
  defineNamespace({ namespace: 'x', routes: [{ pattern: '/x', endpoints: [{ methods: ['GET'], handler: 'x', args: {} }] }] }, { x: () => 1 });
  // @ts-expect-error a method that there is not
  defineNamespace({ namespace: 'x', routes: [{ pattern: '/x', endpoints: [{ methods: ['FETCH'], handler: 'x', permission: 'public', args: {} }] }] }, { x: () => 1 });
  // @ts-expect-error a schema keyword that there is not
  defineNamespace({ namespace: 'x', routes: [{ pattern: '/x', endpoints: [{ methods: ['GET'], handler: 'x', permission: 'public', args: { a: { const: 1 } } }] }] }, { x: () => 1 });
}
