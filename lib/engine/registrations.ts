import { createDescriptorCheck } from '../compile/check-descriptor.ts';
import { checkNamespace } from '../compile/check-namespace.ts';
import { ArgsCompiler } from '../compile/compile-args.ts';
import { compileTable, type RouteTable } from '../compile/table.ts';
import { CallCounts } from '../compile/terms/call-counts.ts';
import { adviseOn } from '../core/check-options.ts';
import { type Names, PLAIN_NAMES } from '../core/names.ts';
import type { Uploads } from '../ports/uploads.ts';
import type { Around } from '../route/call.ts';
import type { NamespaceDescriptor } from '../route/descriptor.ts';
import type { Namespace } from '../route/namespace.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import { Validators } from '../schema/validate.ts';
import type { Store } from '../store/store.ts';
import { createNamespaceIndex, createRoot, type RootOptions, type RootRoute } from './root-routes.ts';

/** Options for registering namespaces. */
export interface RegisterOptions<H = unknown> extends RootOptions {
  /** Wire names. Default: nothing is renamed. */
  readonly names?: Names;
  /** The namespaces to serve. Default: none. */
  readonly namespaces?: readonly Namespace<H>[];
  /** Capabilities that `permission` may name. Default: none. */
  readonly capabilities?: ReadonlySet<string>;
  /** Parameters of every endpoint except index and batch. Default: none. */
  readonly commonArgs?: ArgSchemas;
  /** `(call, next) => response` runs around every call, also of index and batch. Default: none. */
  readonly around?: Around<H>;
  /** Stores the files of forms, such as `createUploads(directory)`. Default: an endpoint with `files` is refused. */
  readonly uploads?: Uploads | null;
  /** Compare each successful response with the schema of its endpoint; 500 for a violation. Default: where `answers` are declared, unless `NODE_ENV` is `production`. */
  readonly checkAnswers?: boolean;
  /** Send fields that `answers` of the endpoint does not declare. Default false: they are left out. */
  readonly sendUndeclared?: boolean;
  /** The cache, if there is one. Endpoints may name only collections of its store. */
  readonly cache?: { readonly store: Pick<Store, 'collections'> };
  /** Keeps keys and limits of calls, such as `keepCalls(store)`: for `idempotent: 'key'`, and for limits that several processes share. Default: each process counts alone, and keys are not kept. */
  readonly calls?: Store;
}

/** Not every runtime has `process`. */
function isDevelopment(): boolean {
  return globalThis.process?.env['NODE_ENV'] !== 'production';
}

const NO_CAPABILITIES: ReadonlySet<string> = new Set();

/** @throws TypeError for a namespace with a route where the engine has one of its own */
function checkPaths({ descriptor }: Namespace, root: NamespaceDescriptor): void {
  const taken = new Set(root.routes.map(({ pattern }) => pattern));
  const both = descriptor.routes.find(({ pattern }) => taken.has(pattern));
  if (both !== undefined)
    throw new TypeError(
      `${descriptor.namespace}: ${both.pattern} ${both.endpoints.flatMap(({ methods }) => methods).join(', ')}: the engine's own index or batch is already registered there; move it, or switch it off, with the option index, batch or openapi of createEngine`,
    );
}

interface Registered {
  readonly namespaces: readonly Namespace[];
  readonly extensions: readonly Namespace[];
}

/** The routes of the engine itself, then each namespace after the route that describes it, and its extensions. */
function withRootRoutes(
  { namespaces, extensions }: Registered,
  root: Namespace,
  options: RegisterOptions,
): readonly Namespace[] {
  const taken = new Set<string>();
  for (const {
    descriptor: { namespace },
  } of namespaces) {
    if (taken.has(namespace))
      throw new TypeError(
        `${namespace}: the namespace is already registered; add routes with extend, or put this one in its place with replace`,
      );
    taken.add(namespace);
  }
  for (const namespace of [...namespaces, ...extensions]) checkPaths(namespace, root.descriptor);
  return [
    root,
    ...namespaces.flatMap((namespace) => {
      const { descriptor, around } = namespace;
      const own = extensions.filter((extension) => extension.descriptor.namespace === descriptor.namespace);
      return [
        createNamespaceIndex(descriptor, options.names ?? PLAIN_NAMES, options) ?? [],
        namespace,
        ...own.map((extension): Namespace =>
          Object.assign({}, extension, around === undefined ? null : { around }),
        ),
      ].flat();
    }),
  ];
}

/** The current namespaces and their route table. A change compiles a new table and replaces the old one, or changes nothing. */
export class Registrations {
  readonly #options: RegisterOptions;
  readonly #onSwap: () => void;
  readonly #own: readonly RootRoute[];
  readonly #validators = new Validators();
  readonly #counts: CallCounts;
  readonly #check: (descriptor: NamespaceDescriptor) => void;
  #namespaces: readonly Namespace[];
  /** Each has the name of the namespace that it extends. */
  #extensions: readonly Namespace[] = [];
  table: RouteTable;

  /** `own`: routes of the engine beside index and batch. @throws TypeError naming namespace, pattern and method of the first descriptor that cannot be served. */
  constructor(options: RegisterOptions, onSwap: () => void, own: readonly RootRoute[] = []) {
    this.#options = options;
    this.#own = own;
    this.#counts = new CallCounts(options.calls ?? null);
    this.#check = createDescriptorCheck(this.#validators);
    this.#onSwap = onSwap;
    this.#namespaces = options.namespaces ?? [];
    this.#checkAll(this.#namespaces);
    this.table = this.#compile(this.#namespaces, this.#extensions);
  }

  add(namespaces: readonly Namespace[]): void {
    this.#checkAll(namespaces);
    this.#swap([...this.#namespaces, ...namespaces]);
  }

  /** Removes a namespace and its extensions. @throws TypeError if the namespace is not registered. */
  remove(name: string): void {
    this.#find(name);
    this.#swap(
      this.#namespaces.filter(({ descriptor }) => descriptor.namespace !== name),
      this.#extensions.filter(({ descriptor }) => descriptor.namespace !== name),
    );
  }

  /** Puts a namespace in the place of the one with the same name, whose extensions stay. @throws TypeError if none is registered, or as `add` */
  replace(namespace: Namespace): void {
    this.#checkAll([namespace]);
    const replaced = this.#find(namespace.descriptor.namespace);
    this.#swap(this.#namespaces.map((each) => (each === replaced ? namespace : each)));
  }

  /** Adds routes below a namespace that is registered. @throws TypeError if it is not registered, or as `add` */
  extend(extension: Namespace): void {
    this.#checkAll([extension]);
    const name = extension.descriptor.namespace;
    this.#find(name);
    if (extension.around !== undefined)
      throw new TypeError(
        `${name}: an extension cannot have around; the one of its namespace runs around its calls`,
      );
    this.#swap(this.#namespaces, [...this.#extensions, extension]);
  }

  #find(name: string): Namespace {
    const found = this.#namespaces.find(({ descriptor }) => descriptor.namespace === name);
    const known = this.#namespaces.map(({ descriptor }) => descriptor.namespace);
    if (found === undefined)
      throw new TypeError(
        `${name}: the namespace is not registered${known.length === 0 ? '; no namespace is' : adviseOn(name, known, { what: 'namespaces' })}`,
      );
    return found;
  }

  #checkAll(namespaces: readonly Namespace[]): void {
    for (const namespace of namespaces) {
      checkNamespace(namespace);
      this.#check(namespace.descriptor);
    }
  }

  #swap(next: readonly Namespace[], extensions: readonly Namespace[] = this.#extensions): void {
    this.table = this.#compile(next, extensions);
    this.#namespaces = next;
    this.#extensions = extensions;
    this.#onSwap();
  }

  #compile(namespaces: readonly Namespace[], extensions: readonly Namespace[]): RouteTable {
    const {
      names = PLAIN_NAMES,
      capabilities,
      commonArgs,
      cache,
      around,
      uploads,
      checkAnswers,
      sendUndeclared,
      calls,
    } = this.#options;
    const root = createRoot(this.#options, this.#own);
    // One compiler per table, so that its cache is dropped together with removed namespaces.
    const args = new ArgsCompiler(names, this.#validators);
    const answers = (checkAnswers ?? isDevelopment()) ? this.#validators : null;
    return compileTable(withRootRoutes({ namespaces, extensions }, root, this.#options), (descriptor) => ({
      names,
      args,
      around,
      answers,
      sendUndeclared,
      checksRecords: checkAnswers === true,
      capabilities: capabilities ?? NO_CAPABILITIES,
      collections: cache?.store.collections,
      commonArgs: descriptor === root.descriptor ? {} : (commonArgs ?? {}),
      counts: this.#counts,
      calls: calls ?? null,
      hasUploads: uploads !== undefined && uploads !== null,
    }));
  }
}
