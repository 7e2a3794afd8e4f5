import { engineError } from '../core/errors.ts';
import { type Names, renameParam } from '../core/names.ts';
import { own, perObject } from '../core/objects.ts';
import type { Body } from '../http/request.ts';
import type { RouteView, SiteView } from '../route/call.ts';
import type { EndpointDescriptor, Method } from '../route/descriptor.ts';
import { readGroups, replaceGroups } from '../route/pattern.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';

/** An endpoint by its name: what tools, abilities and commands are made from. */
export interface Action {
  /** Wire name, such as `notes.list`. No other action of the engine has it. */
  readonly name: string;
  /** The route of the endpoint. */
  readonly route: RouteView;
  /** The endpoint that the call reaches. */
  readonly endpoint: EndpointDescriptor;
  /** The first method of the endpoint. */
  readonly method: Method;
  /** The parameters of path, query and body by wire name. */
  readonly args: readonly (readonly [name: string, schema: ArgSchema])[];
}

/** Whether all parameters of a call can be sent as JSON. Files and raw bodies cannot. */
function takesJson({ accepts }: EndpointDescriptor): boolean {
  return accepts === undefined || own(accepts, 'application/json') === 'args';
}

/** What the Model Context Protocol allows the name of a tool. Characters. */
const LONGEST_NAME = 128;

/** A name of letters, digits and `_-.`. */
function toName(names: Names, { tool, handler }: EndpointDescriptor): string {
  const words = (typeof tool === 'string' ? tool : handler).split('.');
  return words
    .map((word) => own(names.segments, word) ?? word)
    .join('.')
    .replaceAll(/[^\w.-]/g, '_');
}

/** A group that no arg describes is a text. */
function listArgs(names: Names, route: RouteView, endpoint: EndpointDescriptor): Action['args'] {
  const args: Record<string, ArgSchema> = { ...endpoint.args, ...endpoint.body, ...route.commonArgs };
  for (const { name, expression } of readGroups(route.pattern))
    args[name] = { ...(own(args, name) ?? { type: 'string', pattern: `^${expression}$` }), required: true };
  return Object.entries(args).map(([name, schema]) => [renameParam(names, name), schema]);
}

/** Endpoints may share a handler. Their actions have the method at the end of their names, and if need be a number. */
function toUnique(name: string, method: Method, taken: ReadonlySet<string>): string {
  const withMethod = `.${method.toLowerCase()}`;
  for (let at = 0; ; at += 1) {
    const end = ['', withMethod][at] ?? `${withMethod}.${at}`;
    const unique = name.slice(0, LONGEST_NAME - end.length) + end;
    if (!taken.has(unique)) return unique;
  }
}

function createActions(routes: readonly RouteView[], names: Names): readonly Action[] {
  const taken = new Set<string>();
  return routes.flatMap((route) =>
    route.descriptor.endpoints
      .filter((endpoint) => endpoint.tool !== false && takesJson(endpoint))
      .map((endpoint): Action => {
        const [method = 'GET'] = endpoint.methods;
        const name = toUnique(toName(names, endpoint), method, taken);
        taken.add(name);
        return { name, route, endpoint, method, args: listArgs(names, route, endpoint) };
      }),
  );
}

const perTable = perObject((routes: readonly RouteView[]) =>
  perObject((names: Names) => createActions(routes, names)),
);

/** Every endpoint that is not `tool: false` and takes JSON, in the order of the index. Made once for each table of routes. */
export function listActions({ routes, names }: Pick<SiteView, 'routes' | 'names'>): readonly Action[] {
  return perTable(routes)(names);
}

/** What a call with these arguments sends. All but the path is the JSON body, whose members every method reads as parameters. @throws RestError `rest_missing_callback_param` */
export function toActionCall(
  { route, endpoint, method }: Action,
  names: Names,
  args: Readonly<Record<string, unknown>>,
): { readonly method: Method; readonly path: string; readonly body: Body } {
  const path = replaceGroups(route.pattern, ({ name: neutral }) => {
    const name = renameParam(names, neutral);
    const value = own(args, name);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw engineError('rest_missing_callback_param', {
      message: `Missing parameter(s): ${name}`,
      data: { params: [name] },
    });
  });
  const value = endpoint.bodyForm === 'array' ? own(args, 'body') : args;
  return { method, path, body: value === undefined ? { kind: 'none' } : { kind: 'json', value } };
}
