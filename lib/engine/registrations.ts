import { createDescriptorCheck } from '../route/check-descriptor.ts';
import { checkNamespace } from '../route/check-namespace.ts';
import { ArgsCompiler } from '../route/compile-args.ts';
import type { NamespaceDescriptor } from '../route/descriptor.ts';
import type { Names } from '../core/names.ts';
import type { Namespace } from '../route/namespace.ts';
import { createNamespaceIndex, createRoot, type DescribeSite } from './root-routes.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import { compileTable, type RouteTable } from '../route/table.ts';
import type { Store } from '../store/store.ts';
import { checkExpression } from '../route/router.ts';
import { Validators } from '../schema/validate.ts';

/** Options for registering namespaces. */
export interface RegisterOptions {
  readonly names: Names;
  readonly namespaces?: readonly Namespace[];
  /** Capabilities that a descriptor may use as permission. */
  readonly capabilities?: ReadonlySet<string>;
  /** Args of every endpoint except those of the root routes. */
  readonly commonArgs?: ArgSchemas;
  readonly describeSite: DescribeSite;
  /** The cache, if there is one. Endpoints may name only collections of its store. */
  readonly cache?: { readonly store: Pick<Store, 'collections'> };
}

const NO_CAPABILITIES: ReadonlySet<string> = new Set();

/** The root routes, then each namespace after the route that describes it. */
function withRootRoutes(namespaces: readonly Namespace[], { describeSite, names: words }: RegisterOptions): readonly Namespace[] {
  const taken = new Set<string>();
  for (const { descriptor: { namespace } } of namespaces) {
    if (taken.has(namespace)) throw new TypeError(`${namespace}: the namespace is already registered`);
    taken.add(namespace);
  }
  return [createRoot(describeSite), ...namespaces.flatMap((namespace) => (
    namespace.descriptor.index === false ? [namespace] : [createNamespaceIndex(namespace.descriptor, words), namespace]
  ))];
}

/** The current namespaces and their route table. A change compiles a new table and replaces the old one, or changes nothing. */
export class Registrations {
  readonly #options: RegisterOptions;
  readonly #onSwap: () => void;
  readonly #validators = new Validators(checkExpression);
  readonly #check: (descriptor: NamespaceDescriptor) => void;
  #namespaces: readonly Namespace[];
  table: RouteTable;

  /** @throws TypeError naming namespace, pattern and method of the first descriptor that cannot be served. */
  constructor(options: RegisterOptions, onSwap: () => void) {
    this.#options = options;
    this.#check = createDescriptorCheck(this.#validators);
    this.#onSwap = onSwap;
    this.#namespaces = options.namespaces ?? [];
    this.#checkAll(this.#namespaces);
    this.table = this.#compile(this.#namespaces);
  }

  add(namespaces: readonly Namespace[]): void {
    this.#checkAll(namespaces);
    this.#swap([...this.#namespaces, ...namespaces]);
  }

  /** @throws TypeError if the namespace is not registered. */
  remove(name: string): void {
    const next = this.#namespaces.filter((namespace) => namespace.descriptor.namespace !== name);
    if (next.length === this.#namespaces.length) throw new TypeError(`${name}: the namespace is not registered`);
    this.#swap(next);
  }

  #checkAll(namespaces: readonly Namespace[]): void {
    for (const namespace of namespaces) {
      checkNamespace(namespace);
      this.#check(namespace.descriptor);
    }
  }

  #swap(next: readonly Namespace[]): void {
    this.table = this.#compile(next);
    this.#namespaces = next;
    this.#onSwap();
  }

  #compile(namespaces: readonly Namespace[]): RouteTable {
    const { names, capabilities, commonArgs, cache } = this.#options;
    // One compiler per table, so that its cache is dropped together with removed namespaces.
    const args = new ArgsCompiler(names, this.#validators);
    return compileTable(withRootRoutes(namespaces, this.#options), (descriptor) => ({
      names, args, capabilities: capabilities ?? NO_CAPABILITIES, collections: cache?.store.collections, commonArgs: descriptor.namespace === '' ? {} : commonArgs ?? {},
    }));
  }
}
