import { ANY, checkOptions, OBJECT, type OptionRule } from '../core/check-options.ts';
import { createErrors, duplicateError, type ErrorTable } from '../core/errors.ts';
import { can } from '../core/identity.ts';
import { kindOf, own } from '../core/objects.ts';
import type { Args, Call, Permission } from '../route/call.ts';
import type { NamespaceDescriptor, ResourceDescriptor, RouteDescriptor } from '../route/descriptor.ts';
import { type Namespace, toNamespace } from '../route/namespace.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';
import type { CollectionDescriptor, FieldType } from '../store/collection.ts';
import { and, contains, eq, hasAll, or, type Order, type Predicate, type Scalar } from '../store/query.ts';
import type { Store, StoredRecord, Values } from '../store/store.ts';
import { type Draft, PlainCollection, subjectOf } from './plain-collection.ts';

/** What `crud` makes endpoints of. */
export interface CrudOptions {
  /** Where the records are. */
  readonly store: Store;
  /** One of the collections that the store was made for. */
  readonly collection: CollectionDescriptor;
  /** The fields that clients see. Each is a field of the collection; one with `readonly` is not written, one with `required` must be sent for a new record. */
  readonly resource: ResourceDescriptor;
  /** Path of the list, such as `/notes`. A record is at `/notes/1`. */
  readonly path: string;
  /** Who may read and who may write: `public`, or a capability of the engine. */
  readonly read: string;
  /** Permission of the routes that write. */
  readonly write: string;
}

/** The words of a schema for each type of a field; undefined: any. */
const WORDS: Readonly<Record<FieldType, string | undefined>> = {
  text: 'string',
  integer: 'integer',
  boolean: 'boolean',
  texts: 'array',
  integers: 'array',
  json: undefined,
};

const MOST_PER_PAGE = 100;

/** Parameters of the list beside the filters. */
const LIST_ARGS = {
  page: { description: 'Number of the page to show.', type: 'integer', default: 1, minimum: 1 },
  per_page: {
    description: 'Number of items on a page.',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: MOST_PER_PAGE,
  },
  search: { description: 'Only items that contain these words.', type: 'string' },
  order: {
    description: 'Sort direction: ascending or descending.',
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
  },
} as const satisfies ArgSchemas;

const TAKEN = [...Object.keys(LIST_ARGS), 'orderby'];

/** @throws TypeError for a field of the resource that the collection does not have, or has with another type */
function checkFields({ collection, resource }: CrudOptions): void {
  for (const [name, schema] of Object.entries(resource.properties)) {
    if (name === 'id') continue;
    const field = own(collection.fields, name);
    if (field === undefined)
      throw new TypeError(
        `crud: the resource ${resource.title} has a field "${name}" that the collection "${collection.name}" does not have; its fields are ${Object.keys(collection.fields).join(', ')}`,
      );
    const word = own(WORDS, field.type);
    if (word !== undefined && !typesOf(schema).includes(word as 'string'))
      throw new TypeError(
        `crud: the field "${name}" of the resource ${resource.title} must have the type "${word}", because the collection "${collection.name}" stores ${field.type}`,
      );
    if (TAKEN.includes(name))
      throw new TypeError(
        `crud: the resource ${resource.title} cannot have a field "${name}", because the list has a parameter of this name; the parameters are ${TAKEN.join(', ')}`,
      );
  }
}

/** @throws TypeError for a path that is not one or more plain segments */
function checkPath(path: unknown): void {
  if (typeof path === 'string' && /^(?:\/[\w-][\w.-]*)+$/.test(path)) return;
  throw new TypeError(
    `crud: path must be one or more segments of letters, digits, ".", "-" and "_", such as /notes; it is ${JSON.stringify(path)}`,
  );
}

/** @throws TypeError for a permission function: whether a caller may read a list cannot be asked record by record. A missing permission is refused with the descriptor */
function checkRights(rights: Readonly<Record<'read' | 'write', unknown>>): void {
  const wrong = Object.entries(rights).find(([, right]) => right !== undefined && typeof right !== 'string');
  if (wrong !== undefined)
    throw new TypeError(
      `crud: ${wrong[0]} is ${kindOf(wrong[1])}; it must be 'public' or a capability of the engine. Write a namespace of your own for rights on single records`,
    );
}

/** The parameter of a field, without what belongs to responses alone. */
function toArg({ context: _context, readonly: _readonly, ...schema }: ArgSchema): ArgSchema {
  return schema;
}

function toOptional({ required: _required, default: _default, ...schema }: ArgSchema): ArgSchema {
  return schema;
}

const ID = { id: { description: 'ID of the record.', type: 'integer' } } as const;

/** The routes of the five endpoints, with the parameters of a list, of a new record and of a change. */
function toRoutes(
  { path, collection: { name: collection }, read, write }: CrudOptions,
  { list, create, change }: Readonly<Record<'list' | 'create' | 'change', ArgSchemas>>,
): readonly RouteDescriptor[] {
  return [
    {
      pattern: path,
      resource: 'record',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'list',
          permission: read,
          shows: ['page'],
          cache: [collection],
          args: list,
        },
        {
          methods: ['POST'],
          handler: 'create',
          permission: write,
          shows: ['record'],
          status: 201,
          args: create,
        },
      ],
    },
    {
      pattern: `${path}/(?P<id>[\\d]+)`,
      resource: 'record',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'read',
          permission: 'crud.read',
          shows: ['record'],
          cache: [collection],
          args: ID,
        },
        {
          methods: ['PUT', 'PATCH'],
          handler: 'update',
          permission: 'crud.write',
          shows: ['record'],
          ifMatch: true,
          args: { ...ID, ...change },
        },
        {
          methods: ['DELETE'],
          handler: 'remove',
          permission: 'crud.write',
          shows: ['removal'],
          ifMatch: true,
          args: ID,
        },
      ],
    },
  ];
}

/** The descriptor of the five endpoints, and the names of the fields that filter and that are written. @throws TypeError */
function describeCrud(options: CrudOptions): {
  readonly descriptor: NamespaceDescriptor;
  readonly filters: readonly string[];
  readonly writable: readonly string[];
} {
  checkPath(options.path);
  checkFields(options);
  checkRights({ read: options.read, write: options.write });
  const {
    collection: { fields },
    resource,
    path,
  } = options;
  const shown = Object.entries(resource.properties).filter(([name]) => name !== 'id');
  const writable = shown.filter(([, schema]) => schema.readonly !== true);
  const filters = shown.filter(([name]) => own(fields, name)?.type !== 'json');
  const sorted = filters
    .map(([name]) => name)
    .filter((name) => !['texts', 'integers'].includes(own(fields, name)?.type ?? ''));
  const args = (
    list: readonly (readonly [string, ArgSchema])[],
    change: (schema: ArgSchema) => ArgSchema,
  ): ArgSchemas => Object.fromEntries(list.map(([name, schema]) => [name, change(toArg(schema))]));
  const orderby: ArgSchema = {
    description: 'Field by which the items are sorted.',
    type: 'string',
    enum: ['id', ...sorted],
    default: 'id',
  };
  const { search, ...unsearched } = LIST_ARGS;
  const listArgs = filters.some(([name]) => own(fields, name)?.folded === true)
    ? { ...unsearched, search }
    : unsearched;
  return {
    filters: filters.map(([name]) => name),
    writable: writable.map(([name]) => name),
    descriptor: {
      namespace: path.slice(1),
      index: false,
      resources: {
        record: { ...resource, properties: { id: { ...ID.id, readonly: true }, ...resource.properties } },
      },
      routes: toRoutes(options, {
        list: { ...listArgs, orderby, ...args(filters, toOptional) },
        create: args(writable, (schema) => schema),
        change: args(writable, toOptional),
      }),
    },
  };
}

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
      return [Array.isArray(value) ? hasAll(name, value) : eq(name, value as Scalar)];
    }),
    ...(search === '' ? [] : [or(...folded.map((field) => contains(field, search)))]),
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
