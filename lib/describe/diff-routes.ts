import { own } from '../core/objects.ts';
import type {
  Accepts,
  EndpointDescriptor,
  FileDescriptor,
  Method,
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../route/descriptor.ts';
import { readGroups, replaceGroups, replaceTypedGroups } from '../route/pattern.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { type Difference, diffMembers, diffSchema, isSame } from './diff-schema.ts';

/** A change of one method of a route. An added one never breaks a client, a removed one always does. */
export interface RouteChange extends Difference {
  /** Name of the namespace. */
  readonly namespace: string;
  /** The pattern after the change; of a removed route, the pattern before. */
  readonly pattern: string;
  /** The method that changed. */
  readonly method: Method;
}

/** All differences between two states of the routes. */
export interface RouteDiff {
  /** Only in the new version. */
  readonly added: readonly RouteChange[];
  /** Only in the old version. */
  readonly removed: readonly RouteChange[];
  /** One entry for each difference of an endpoint that is in both states. */
  readonly changed: readonly RouteChange[];
}

/** One method of a route, with everything that a client depends on. */
interface Operation {
  readonly namespace: string;
  readonly method: Method;
  readonly route: RouteDescriptor;
  readonly endpoint: EndpointDescriptor;
  readonly resource: ResourceDescriptor | undefined;
}

/** Clients do not see the names of groups. */
const toShape = (pattern: string): string =>
  replaceTypedGroups(
    replaceGroups(pattern, () => '{}'),
    () => '{}',
  );

function listOperations(namespaces: readonly NamespaceDescriptor[]): ReadonlyMap<string, Operation> {
  const operations = namespaces.flatMap(({ namespace, routes, resources = {} }) =>
    routes.flatMap((route) =>
      route.endpoints.flatMap((endpoint) =>
        endpoint.methods.map((method): Operation => ({
          namespace,
          method,
          route,
          endpoint,
          resource: route.resource === undefined ? undefined : own(resources, route.resource),
        })),
      ),
    ),
  );
  return new Map(
    operations.map((operation) => [`${operation.method} ${toShape(operation.route.pattern)}`, operation]),
  );
}

/** What `accepts` means when it is absent. */
const PLAIN: Accepts = { 'application/json': 'args', 'application/x-www-form-urlencoded': 'args' };

const isLess = (before: number, after: number): boolean => after < before;

function diffFile(
  before: FileDescriptor | undefined,
  after: FileDescriptor | undefined,
  at: string,
): readonly Difference[] {
  if (before === undefined || after === undefined)
    return [{ at, before, after, breaks: after === undefined || after.required === true }];
  const rows = [
    ['required', before.required === true, after.required === true, before.required !== true],
    [
      'maxCount',
      before.maxCount ?? 1,
      after.maxCount ?? 1,
      isLess(before.maxCount ?? 1, after.maxCount ?? 1),
    ],
    [
      'maxBytes',
      before.maxBytes,
      after.maxBytes,
      isLess(before.maxBytes ?? Infinity, after.maxBytes ?? Infinity),
    ],
    [
      'types',
      before.types,
      after.types,
      after.types !== undefined &&
        (before.types ?? ['*']).some((type) => after.types?.includes(type) !== true),
    ],
  ] as const;
  return rows.flatMap(([name, was, is, breaks]) =>
    isSame(was, is) ? [] : [{ at: `${at}.${name}`, before: was, after: is, breaks }],
  );
}

/** The client does not notice whether its body is read as bytes or as a stream. */
function diffAccepts(before: Accepts, after: Accepts): readonly Difference[] {
  const ranges = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return ranges.flatMap((range): readonly Difference[] => {
    const [was, is, at] = [own(before, range), own(after, range), `accepts.${range}`];
    if (was === undefined || is === undefined)
      return [{ at, before: was, after: is, breaks: is === undefined }];
    if (typeof was !== 'object' || typeof is !== 'object')
      return isSame(was, is) ? [] : [{ at, before: was, after: is, breaks: typeof was !== typeof is }];
    const names = [...new Set([...Object.keys(was.files), ...Object.keys(is.files)])];
    return names.flatMap((name) =>
      diffFile(own(was.files, name), own(is.files, name), `${at}.files.${name}`),
    );
  });
}

type Breaks = (before: EndpointDescriptor, after: EndpointDescriptor) => boolean;

/** The members of an endpoint with a plain value that clients may notice, and when a change of it breaks them. */
const MEMBERS: Readonly<Partial<Record<keyof EndpointDescriptor, Breaks>>> = {
  // Only `public` is known to admit everybody who was admitted before.
  permission: (_before, after) => after.permission !== 'public',
  allow_batch: (_before, after) => after.allow_batch === undefined,
  bodyForm: (before, after) => (before.bodyForm ?? 'members') !== (after.bodyForm ?? 'members'),
  maxBodyBytes: (before, after) => isLess(before.maxBodyBytes ?? 0, after.maxBodyBytes ?? Infinity),
  status: (before) => before.status !== undefined,
  shows: (before, after) => before.shows?.some((form) => after.shows?.includes(form) !== true) === true,
  ifMatch: (_before, after) => after.ifMatch !== true,
  checkFirst: () => false,
  checks: () => false,
  summary: () => false,
  description: () => false,
  tags: () => false,
  deprecated: () => false,
  // Fewer calls, or calls that are counted together, may be refused.
  limit: (_before, after) => after.limit !== undefined,
  idempotent: (before, after) => before.idempotent === 'key' && after.idempotent !== 'key',
  examples: () => false,
};

function diffPlain(before: EndpointDescriptor, after: EndpointDescriptor): readonly Difference[] {
  return (Object.entries(MEMBERS) as readonly (readonly [keyof EndpointDescriptor, Breaks])[]).flatMap(
    ([name, breaks]) =>
      isSame(before[name], after[name])
        ? []
        : [{ at: name, before: before[name], after: after[name], breaks: breaks(before, after) }],
  );
}

/** Two expressions cannot be compared. Only one that accepts every segment is known to accept what the other did. */
function diffGroups(before: RouteDescriptor, after: RouteDescriptor): readonly Difference[] {
  const [was, is] = [readGroups(before.pattern), readGroups(after.pattern)].map((groups) =>
    groups.map(({ expression }) => expression),
  ) as [string[], string[]];
  if (isSame(was, is)) return [];
  return [
    {
      at: 'pattern',
      before: before.pattern,
      after: after.pattern,
      breaks:
        was.length !== is.length || was.some((expression, at) => expression !== is[at] && is[at] !== '[^/]+'),
    },
  ];
}

/** A response that is no longer declared may hold anything. One that is declared now may still hold what it did. */
function diffAnswers(
  { answers: before = {} }: EndpointDescriptor,
  { answers: after = {} }: EndpointDescriptor,
): readonly Difference[] {
  return Object.keys({ ...before, ...after }).flatMap((status) => {
    const [was, is] = [own<ArgSchema | undefined>(before, status), own<ArgSchema | undefined>(after, status)];
    const at = `answers.${status}`;
    return was === undefined
      ? [{ at, before: was, after: is, breaks: false }]
      : diffSchema(was, is ?? {}, { at, sender: 'server' });
  });
}

function diffResource(
  before: ResourceDescriptor | undefined,
  after: ResourceDescriptor | undefined,
): readonly Difference[] {
  if (before === undefined) return [];
  return diffMembers(
    { ...before.properties, ...before.answers },
    { ...after?.properties, ...after?.answers },
    { at: 'resource', sender: 'server' },
  );
}

function diffOperation(before: Operation, after: Operation): readonly Difference[] {
  const [was, is] = [before.endpoint, after.endpoint];
  // Clients send both kinds of parameters in the same way.
  const args = diffMembers(
    { ...was.args, ...was.body },
    { ...is.args, ...is.body },
    { at: 'args', sender: 'client' },
  );
  return [
    ...diffGroups(before.route, after.route),
    ...diffPlain(was, is),
    ...args,
    ...diffAccepts(was.accepts ?? PLAIN, is.accepts ?? PLAIN),
    ...diffAnswers(was, is),
    ...diffResource(before.resource, after.resource),
  ];
}

const toChange = ({ namespace, route, method }: Operation, difference: Difference): RouteChange => ({
  namespace,
  pattern: route.pattern,
  method,
  ...difference,
});

/**
 * Compares two states of the routes: what was added, removed and changed, and whether it breaks a client. A change whose effect
 * cannot be known counts as breaking, such as another expression. Routes are found by method and pattern without the names of its groups.
 */
export function diffRoutes(
  before: readonly NamespaceDescriptor[],
  after: readonly NamespaceDescriptor[],
): RouteDiff {
  const [old, current] = [listOperations(before), listOperations(after)];
  const absentIn = (
    others: ReadonlyMap<string, Operation>,
    operations: ReadonlyMap<string, Operation>,
  ): readonly Operation[] =>
    [...operations].filter(([key]) => !others.has(key)).map(([, operation]) => operation);
  return {
    added: absentIn(old, current).map((operation) =>
      toChange(operation, { at: '', before: undefined, after: operation.endpoint, breaks: false }),
    ),
    removed: absentIn(current, old).map((operation) =>
      toChange(operation, { at: '', before: operation.endpoint, after: undefined, breaks: true }),
    ),
    changed: [...current].flatMap(([key, operation]) => {
      const known = old.get(key);
      return known === undefined
        ? []
        : diffOperation(known, operation).map((difference) => toChange(operation, difference));
    }),
  };
}
