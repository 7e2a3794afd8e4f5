import { AsyncLocalStorage } from 'node:async_hooks';
import { CONTEXTS } from '../../../lib/compile/check-endpoint.ts';
import { renameParam } from '../../../lib/core/names.ts';
import { defined, isObject, kindOf, own, perObject, slicesOf } from '../../../lib/core/objects.ts';
import { readShape } from '../../../lib/dispatch/shape.ts';
import { HANDLER_TIMEOUT_MS, TimeLimit } from '../../../lib/dispatch/time-limit.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import { type Dependencies, RestResponse } from '../../../lib/http/response.ts';
import { type Selection } from '../../../lib/http/select-fields.ts';
import { JsonText } from '../../../lib/json/json-document.ts';
import type { Args, Call, Handler } from '../../../lib/route/call.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { type Namespace, toNamespace } from '../../../lib/route/namespace.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import type { Operation, Reference, Store } from '../../../lib/store/store.ts';
import type { Ports } from '../host/ports.ts';
import { withCommit } from '../host/with-commit.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ShownRecord } from './plugin-site.ts';
import type { BoundField, PluginField } from './plugin.ts';

/** What plugins write beside a record. */
interface PlannedWrite {
  /** The collection of the record. */
  readonly collection: string;
  /** The operations for a record. */
  readonly plan: (id: number | Reference) => Promise<readonly Operation[]>;
  /** A commit had them. */
  isDone: boolean;
}

/** Of the handler that runs. The first commit that writes a record of the collection gets the operations. */
const planned = new AsyncLocalStorage<PlannedWrite>();
/** Label of the new record in a commit. */
const LABEL = 'written-record';

async function commitBoth(
  store: Store,
  write: PlannedWrite,
  [operations, ...more]: Parameters<Store['commit']>,
): ReturnType<Store['commit']> {
  const at = operations.findIndex(
    ({ op, collection }) => collection === write.collection && (op === 'create' || op === 'update'),
  );
  const found = operations[at];
  if ((found?.op !== 'create' && found?.op !== 'update') || write.isDone)
    return store.commit(operations, ...more);
  const labelled = found.op === 'create' ? { ...found, as: found.as ?? LABEL } : found;
  const id = labelled.op === 'create' ? { $ref: labelled.as } : labelled.id;
  const results = await store.commit([...operations.with(at, labelled), ...(await write.plan(id))], ...more);
  write.isDone = true;
  return results.slice(0, operations.length);
}

/** A store whose commits take what plugins write beside a record. */
export function withPlannedWrites(store: Store): Store {
  return withCommit(store, (...args) => {
    const write = planned.getStore();
    return write === undefined ? store.commit(...args) : commitBoth(store, write, args);
  });
}

/** How long a field may take, in milliseconds, and its share of the time of the call. */
const FIELD_MS = 5000;
const SHARE = 0.25;
/** Most records that a function gets at once. */
const MOST_RECORDS = 100;

type Needs = Pick<Ports, 'store' | 'log' | 'handlerTimeoutMs' | 'content'>;
type Shown = Readonly<Record<string, unknown>>;

const validators = new Validators();
const toCheck = perObject((schema: ArgSchema) => validators.compileAnswer(schema));

type Resource = readonly [id: string, collection: string];

/** The resources of the records that a word of `of` names, and the collection in which they are written. */
function listResources({ postTypes, taxonomies }: ContentModel, kind: string): readonly Resource[] {
  const posts = postTypes.map(({ name }) => [name, 'posts'] as const);
  const terms = [...taxonomies.keys()].map((name) => [`term-${name}`, 'terms'] as const);
  const kinds: Readonly<Record<string, readonly Resource[]>> = {
    type: posts,
    term: terms,
    user: [['user', 'users']],
    comment: [['comment', 'comments']],
    attachment: [['attachment', 'media']],
  };
  if (kind === '*') return Object.values(kinds).flat();
  return (
    own(kinds, kind) ?? [...posts, ...terms].filter(([name]) => name === kind || name === `term-${kind}`)
  );
}

const readSelection = perObject((request: RestRequest): { readonly fields: Selection | null } =>
  readShape(request, parseQuery(request.query)),
);

const contextsOf = ({ schema }: Pick<PluginField, 'schema'>): readonly string[] => schema.context ?? CONTEXTS;

/** The fields that a call shows. */
function listWanted(fields: readonly BoundField[], args: Args, call: Call): readonly BoundField[] {
  const { fields: selection } = readSelection(call.request);
  const { context } = args;
  return fields.filter((field) => {
    const isInContext =
      typeof context === 'string'
        ? contextsOf(field).includes(context)
        : contextsOf(field).some((each) => each !== 'embed');
    return (
      isInContext &&
      (selection === null ? field.asked !== true : selection.has(renameParam(call.site.names, field.name)))
    );
  });
}

/** The values of a field by id; null: it failed, and the log says why. */
async function compute(
  field: BoundField,
  records: readonly ShownRecord[],
  { call, needs }: { readonly call: Call; readonly needs: Needs },
): Promise<ReadonlyMap<number, unknown> | null> {
  const ms = Math.min(FIELD_MS, (needs.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS) * SHARE);
  const check = toCheck(field.schema);
  const values = new Map<number, unknown>();
  try {
    for (const part of slicesOf(records, MOST_RECORDS)) {
      const found: unknown = await new TimeLimit(ms, {}).hold(() => field.value(part, call));
      if (!(found instanceof Map))
        throw new TypeError(`its function returned ${kindOf(found)}; it must return a Map of values by id`);
      for (const [id, value] of found as ReadonlyMap<number, unknown>) {
        const text = JSON.stringify(value);
        if (text === undefined) continue;
        const plain: unknown = JSON.parse(text);
        const fault = check(field.name, plain);
        if (fault !== null) throw new TypeError(`the value of record ${id}: ${fault.message}`);
        values.set(id, plain);
      }
    }
    return values;
  } catch (error) {
    needs.log({
      level: 'error',
      message: `the field "${field.name}" of the plugin "${field.plugin}" could not be computed and is left out`,
      error,
    });
    return null;
  }
}

const toValue = (shown: unknown): unknown => (shown instanceof JsonText ? shown.toJSON() : shown);
const isRecord = (value: unknown): value is ShownRecord => isObject(value) && typeof value['id'] === 'number';

/** The records of a content in the form of objects; null: it shows none. */
async function listShown(content: unknown): Promise<readonly ShownRecord[] | null> {
  if (content instanceof RecordList) {
    const shown: unknown[] = [];
    for (const record of content.records) shown.push(toValue(await content.show(record, null)));
    return shown.filter(isRecord);
  }
  const value = toValue(content);
  if (Array.isArray(value)) return value.every(isRecord) ? value : null;
  return isRecord(value) ? [value] : null;
}

/** A record with further members, before its links. */
function insert(record: Shown, added: Shown): Shown {
  const { _links: links, ...rest } = record;
  return { ...rest, ...added, ...defined({ _links: links }) };
}

function toDependencies(
  { dependsOn }: Pick<RestResponse, 'dependsOn'>,
  endpoint: EndpointDescriptor,
  { reads, isStable }: { readonly reads: readonly string[]; readonly isStable: boolean },
): Dependencies | null {
  if (endpoint.cache === undefined) return dependsOn;
  const { records, collections, until, language } = dependsOn ?? {
    records: [],
    collections: endpoint.cache,
    until: Infinity,
  };
  return {
    records,
    collections: [...new Set([...collections, ...reads])],
    ...(language === undefined || reads.length > 0 ? {} : { language }),
    until: isStable ? until : 0,
  };
}

interface Served {
  readonly handler: Handler;
  readonly fields: readonly BoundField[];
  readonly collection: string;
  readonly needs: Needs;
}

/** The response with the values of the fields. */
async function addValues(
  result: unknown,
  wanted: readonly BoundField[],
  { args, call, handler, needs }: Served & { readonly args: Args; readonly call: Call },
): Promise<unknown> {
  const { endpoint } = call;
  const response =
    result instanceof RestResponse ? result : new RestResponse(result, { status: endpoint.status ?? 200 });
  if (response.status >= 300 || response.content instanceof Error) return result;
  const shown = await listShown(response.content);
  if (shown === null) return result;
  // The functions get records as `view` shows them, of which `embed` has only some fields.
  const again =
    args['context'] === 'embed'
      ? await handler(Object.freeze({ ...args, context: 'view' }) as never, call)
      : result;
  const viewed = (await listShown(again instanceof RestResponse ? again.content : again)) ?? shown;
  const values = await Promise.all(
    wanted.map(async (field) => ({ field, values: await compute(field, viewed, { call, needs }) })),
  );
  const full = shown.map((record) =>
    insert(
      record,
      defined(
        Object.fromEntries(
          values.map(({ field, values: found }) => [
            renameParam(call.site.names, field.name),
            found?.get(record.id),
          ]),
        ),
      ),
    ),
  );
  const { content } = response;
  const one = Array.isArray(toValue(content)) ? full : full[0];
  const list = content instanceof RecordList ? new RecordList(full, (record) => record, content.from) : one;
  return new RestResponse(list, {
    ...response,
    dependsOn: toDependencies(response, endpoint, {
      reads: wanted.flatMap(({ reads = [] }) => reads),
      isStable:
        wanted.every(({ reads }) => reads !== undefined) && values.every((each) => each.values !== null),
    }),
  });
}

const isWritable = ({ write }: BoundField): boolean => typeof write === 'function';

/** What the fields of a call write; null: nothing. */
function planWrites({ fields, collection }: Served, args: Args, call: Call): PlannedWrite | null {
  const written = fields.filter((field) => isWritable(field) && call.given.has(field.name));
  if (written.length === 0 || call.request.method === 'GET') return null;
  return {
    collection,
    isDone: false,
    async plan(id) {
      const operations = await Promise.all(
        written.map(({ write, name }) => write?.(own(args, name) as never, { id }, call)),
      );
      return operations.flatMap((each) => each ?? []);
    },
  };
}

const toServed =
  (served: Served): Handler =>
  (args: Args, call: Call) => {
    const { handler, needs } = served;
    const write = planWrites(served, args, call);
    const wanted = listWanted(served.fields, args, call);
    if (write === null && wanted.length === 0) return handler(args as never, call);
    const run = async (): Promise<unknown> => {
      const result = await handler(args as never, call);
      // A handler that found nothing to change has made no commit.
      if (write !== null && !write.isDone && typeof args['id'] === 'number')
        await needs.store.commit(await write.plan(args['id']), call.durability);
      return wanted.length === 0 ? result : addValues(result, wanted, { ...served, args, call });
    };
    return write === null ? run() : planned.run(write, run);
  };

const toShownSchema = (field: BoundField): ArgSchema => ({
  ...field.schema,
  context: contextsOf(field),
  ...(isWritable(field) ? {} : { readonly: true }),
});

/** The schema of a parameter. */
function toArg({ context: _context, readonly: _readonly, ...schema }: ArgSchema): ArgSchema {
  return schema;
}

/** Whether an endpoint writes a record. */
const isWrite = ({ methods, shows }: EndpointDescriptor): boolean =>
  methods.some((method) => method !== 'GET' && method !== 'DELETE') && shows?.includes('record') === true;
const isRead = ({ shows }: EndpointDescriptor): boolean => shows?.some((form) => form !== 'removal') === true;

/** The fields of each resource, and the collection of its records. @throws TypeError that names the plugin */
function toTable(
  { descriptor: { resources = {} } }: Namespace,
  fields: readonly BoundField[],
  content: ContentModel,
) {
  const table = new Map<string, { readonly collection: string; readonly fields: BoundField[] }>();
  const add = (field: BoundField, [id, collection]: Resource): void => {
    const what = `plugin "${field.plugin}": fields, ${field.name}`;
    if (own(own(resources, id)?.properties ?? {}, field.name) !== undefined)
      throw new TypeError(
        `${what}: records of the kind "${id}" already have a field of this name; choose another one`,
      );
    const entry = table.get(id) ?? { collection, fields: [] };
    const other = entry.fields.find(({ name }) => name === field.name);
    if (other === field) return;
    if (other !== undefined)
      throw new TypeError(
        `${what}: the plugin "${other.plugin}" already has a field of this name on "${id}"; choose another one`,
      );
    entry.fields.push(field);
    table.set(id, entry);
  };
  for (const field of fields)
    for (const kind of field.of) {
      const found = listResources(content, kind);
      if (found.length === 0)
        throw new TypeError(
          `plugin "${field.plugin}": fields, ${field.name}: "${kind}" is not a kind of record of the site; the kinds are ${[...content.types.keys()].join(', ')}, type, term, user, comment and *`,
        );
      for (const resource of found) add(field, resource);
    }
  return table;
}

/** The namespace of the core with the fields of plugins: in its schemas, its responses and its writes. @throws TypeError that names the plugin */
export function withFields(namespace: Namespace, fields: readonly BoundField[], needs: Needs): Namespace {
  if (fields.length === 0) return namespace;
  const table = toTable(namespace, fields, needs.content);
  const { descriptor, handlers, ...parts } = namespace;
  const wrapped: Record<string, Handler> = { ...handlers };
  const routes = descriptor.routes.map((route) => {
    const served = table.get(route.resource ?? '');
    if (served === undefined) return route;
    for (const endpoint of route.endpoints.filter(isRead))
      wrapped[endpoint.handler] = toServed({
        ...served,
        needs,
        handler: own(handlers, endpoint.handler) as Handler,
      }) as Handler;
    const added: ArgSchemas = Object.fromEntries(
      served.fields.filter(isWritable).map(({ name, schema }) => [name, toArg(schema)]),
    );
    return {
      ...route,
      endpoints: route.endpoints.map((endpoint) =>
        isWrite(endpoint) ? { ...endpoint, args: { ...endpoint.args, ...added } } : endpoint,
      ),
    };
  });
  const resources = Object.fromEntries(
    Object.entries(descriptor.resources ?? {}).map(([id, resource]) => {
      const shown = table.get(id)?.fields.map((field) => [field.name, toShownSchema(field)] as const);
      if (shown === undefined) return [id, resource];
      return [id, { ...resource, properties: { ...resource.properties, ...Object.fromEntries(shown) } }];
    }),
  );
  return toNamespace({ ...descriptor, routes, resources }, wrapped, parts);
}
