import { ANY, checkOptions, OBJECT, type OptionRule } from '../core/check-options.ts';
import { createErrors, type ErrorTable } from '../core/errors.ts';
import { can } from '../core/identity.ts';
import { own } from '../core/objects.ts';
import type { Args, Call, Permission } from '../route/call.ts';
import { toNamespace, type Namespace } from '../route/namespace.ts';
import type { CollectionDescriptor } from '../store/collection.ts';
import { duplicateError } from '../store/duplicate-error.ts';
import { and, eq, or, type Order, type Predicate, type Scalar } from '../store/query.ts';
import type { StoredRecord, Values } from '../store/store.ts';
import { describeCrud, type CrudOptions } from './describe-crud.ts';
import { PlainCollection, subjectOf, type Draft } from './plain-collection.ts';

/** Errors of generic resources. */
export const CRUD_ERRORS = {
  rest_not_found: [404, 'There is no such record.'],
} as const satisfies ErrorTable;

const crudError = createErrors(CRUD_ERRORS);

/** What is not an object or missing. The rest is checked with its descriptor. */
const OPTIONS: Readonly<Record<keyof CrudOptions, OptionRule>> = {
  store: { ...OBJECT, wanted: 'a store', needed: true },
  collection: { ...OBJECT, wanted: 'one of the collections of the store', needed: true },
  resource: { ...OBJECT, wanted: 'a resource, { title, properties }', needed: true },
  path: ANY,
  read: ANY,
  write: ANY,
};

/** A condition for each parameter that names a field, and for the search. */
function toWhere({ fields }: CollectionDescriptor, filters: readonly string[], args: Args): Predicate {
  const search = String(args['search'] ?? '').trim();
  // Only what is shown: a search would tell the texts of a hidden field letter by letter.
  const folded = filters.filter((name) => own(fields, name)?.folded === true);
  return and(
    ...filters.flatMap((name): readonly Predicate[] => {
      const value = own(args, name) as Scalar | readonly Scalar[] | undefined;
      if (value === undefined) return [];
      return [
        Array.isArray(value) ? { op: 'hasAll', field: name, values: value } : eq(name, value as Scalar),
      ];
    }),
    ...(search === ''
      ? []
      : [or(...folded.map((field): Predicate => ({ op: 'contains', field, text: search })))]),
  );
}

/** The values that a request writes: fields of the resource that are not read-only. */
function toValues(writable: readonly string[], { args, given }: Call, isNew: boolean): Values {
  return Object.fromEntries(
    writable
      .filter((name) => given.has(name) || (isNew && own(args, name) !== undefined))
      .map((name) => [name, own(args, name)]),
  ) as Values;
}

interface Served {
  readonly records: PlainCollection;
  readonly collection: CollectionDescriptor;
  readonly filters: readonly string[];
  readonly writable: readonly string[];
}

function createHandlers({ records, collection, filters, writable }: Served) {
  const refuse = (): null => null;
  const context = 'view';
  const show = (call: Call, record: StoredRecord, status = 200) =>
    records.one(call, record, { context, status });
  return {
    list: (args: Args, call: Call) => {
      const order: readonly Order[] = [
        { field: String(args['orderby']), direction: args['order'] === 'desc' ? 'desc' : 'asc' },
      ];
      return records.list(call, {
        where: toWhere(collection, filters, args),
        order,
        context,
        page: Number(args['page']),
        perPage: Number(args['per_page']),
      });
    },
    create: async (_args: Args, call: Call) =>
      show(call, await records.create(call, (): Draft => ({ values: toValues(writable, call, true) })), 201),
    read: (_args: Args, call: Call) => show(call, subjectOf(call)),
    update: async (_args: Args, call: Call) =>
      show(
        call,
        await records.update(call, subjectOf(call), {
          refuse,
          toDraft: () => ({ values: toValues(writable, call, false) }),
        }),
      ),
    remove: (_args: Args, call: Call) => records.remove(call, subjectOf(call), { refuse, context }),
  };
}

/** Admits a caller with the right to the record, which becomes the subject. */
function toPermission(records: PlainCollection, right: string): Permission {
  const find = records.permission('id', () => null);
  return (args, call) => (right === 'public' || can(call.identity, right) ? find(args, call) : false);
}

/**
 * The five endpoints of a collection as a namespace of its own: list, create, read, update and remove, with paging, a filter for each
 * field, search in folded texts, ETags and `If-Match`. A record that changes at the same time is never overwritten unseen.
 * @throws TypeError naming the option or the field that is wrong
 */
export function crud(options: CrudOptions): Namespace {
  checkOptions('the options of crud', options, OPTIONS);
  const { store, collection, resource, path } = options;
  const { descriptor, filters, writable } = describeCrud(options);
  const shown = Object.keys(resource.properties).filter((name) => name !== 'id');
  const records = new PlainCollection({
    store,
    collection: collection.name,
    missing: () => crudError('rest_not_found'),
    pathOf: ({ id }) => `${path}/${id}`,
    taken: duplicateError,
    show: () => (record) =>
      Object.fromEntries([
        ['id', record.id] as const,
        ...shown.map((name) => [name, own(record, name)] as const),
      ]),
  });
  return toNamespace(descriptor, createHandlers({ records, collection, filters, writable }), {
    permissions: {
      'crud.read': toPermission(records, options.read),
      'crud.write': toPermission(records, options.write),
    },
  });
}
