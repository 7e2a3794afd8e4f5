import type { Handlers, Permissions, ArgsOf } from '../../../lib/route/args.ts';
import type { Handler, Permission } from '../../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import type { Embed, ExtensionDescriptor, Namespace, ValueCheck } from '../../../lib/route/namespace.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Ports } from '../host/ports.ts';
import type { PluginSite } from './plugin-site.ts';

/** Routes below a namespace of another plugin, or of the core. */
export interface PluginExtension extends ExtensionDescriptor {
  /** Name of the namespace, such as `cms/v2`. */
  readonly namespace: string;
}

/** What a plugin does, as data. Functions are named by their ids. */
export interface PluginDescriptor {
  /** Lower-case letters, digits and hyphens. Its settings stand under this name. */
  readonly name: string;
  /** One line in English: what the plugin is for. */
  readonly summary?: string;
  /** Namespaces of its own. */
  readonly namespaces?: readonly NamespaceDescriptor[];
  /** Routes below other namespaces. */
  readonly extends?: readonly PluginExtension[];
  /** Collections that it adds to the store. */
  readonly collections?: readonly CollectionDescriptor[];
  /** Schemas of its settings by name, with defaults. */
  readonly settings?: ArgSchemas;
}

/** What the functions of a plugin get once, when the site is built. */
export interface PluginContext<S extends ArgSchemas = ArgSchemas> {
  /** The settings of the site, checked, with defaults. */
  readonly settings: ArgsOf<S>;
  /** The site that the plugin belongs to. */
  readonly site: PluginSite;
}

/** Any function of a plugin. */
export type PluginFunction = Handler | Permission | ValueCheck | Embed;

/** The functions of a plugin by id. */
export type PluginFunctions = Readonly<Record<string, PluginFunction>>;

/** The intersection of the members of a union. */
type Intersect<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

type HandlerIdOf<N extends NamespaceDescriptor> = N['routes'][number]['endpoints'][number]['handler'];

/** The functions that a namespace names. The compiler does not know the ids of routes that a function makes. */
type OfNamespace<N extends NamespaceDescriptor> =
  string extends HandlerIdOf<N> ? PluginFunctions : Handlers<N> & Permissions<N>;

/** The functions that namespaces or extensions name. */
type OfRoutes<L> = L extends readonly (infer N)[]
  ? Intersect<N extends NamespaceDescriptor ? OfNamespace<N> : unknown>
  : unknown;

/** The functions that a descriptor names, with the types of their args. */
export type FunctionsOf<D extends PluginDescriptor> = OfRoutes<D['namespaces']> & OfRoutes<D['extends']>;

/** The schemas of the settings of a plugin. */
export type SettingsOf<D extends PluginDescriptor> = D extends {
  readonly settings: infer S extends ArgSchemas;
}
  ? S
  : Record<never, never>;

/** A plugin with the functions of one site. */
export interface BoundPlugin {
  /** Its namespaces. */
  readonly namespaces: readonly Namespace[];
  /** Its routes below other namespaces. */
  readonly extensions: readonly Namespace[];
}

/** The mistakes of the settings of a plugin. `place`: what messages call their object. */
export type SettingCheck = (place: string, settings: unknown) => Iterable<string>;

/** What a site gives to `bind`. */
export interface PluginHost {
  /** What the site was built with. */
  readonly ports: Ports;
  /** Answers requests to the site, once it is built. */
  readonly dispatch: PluginSite['dispatch'];
}

/** A plugin: what it does as data, and how its functions are made for a site. Made by `definePlugin`. */
export interface Plugin {
  /** What it does. */
  readonly descriptor: PluginDescriptor;
  /** The checks of its settings by member of the configuration. */
  readonly settings: Readonly<Record<string, SettingCheck>>;
  /** Makes its functions for a site. Its settings have no mistakes. */
  readonly bind: (host: PluginHost) => Promise<BoundPlugin>;
}
