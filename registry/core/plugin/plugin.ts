import type { ArgsOf, Handlers, Permissions } from '../../../lib/route/args.ts';
import type { Call, Handler, Permission } from '../../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import type { Embed, ExtensionDescriptor, Namespace, ValueCheck } from '../../../lib/route/namespace.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { Change } from '../../../lib/store/change.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Operation, Reference } from '../../../lib/store/store.ts';
import type { RenderedRecord, Shortcode } from '../content/shortcodes/shortcodes.ts';
import type { Notify } from '../host/ports.ts';
import type { ContentDefinition } from '../model/content-type.ts';
import type { PluginHost, ShownRecord, PluginSite } from './plugin-site.ts';

/** Routes below a namespace of another plugin, or of the core. */
export interface PluginExtension extends ExtensionDescriptor {
  /** Name of the namespace, such as `cms/v2`. */
  readonly namespace: string;
}

/** A field of records of the core. */
export interface PluginField {
  /** Types such as `post`, `type` for all types of posts, taxonomies such as `category`, `term` for all of them, `user`, `comment`, `attachment`, or `*` for all of these. */
  readonly of: readonly string[];
  /** Its name in the records. */
  readonly name: string;
  /** Its schema, with the contexts that show it. Default: all. */
  readonly schema: ArgSchema;
  /** Id of a `FieldValue`. */
  readonly value: string;
  /** Id of a `FieldWrite`. Absent: the field cannot be written. */
  readonly write?: string;
  /** The field is computed only where `_fields` names it. Default false. */
  readonly asked?: boolean;
  /** Collections on which its value depends beside the record; `[]` for none. Absent: responses with it are not cached. */
  readonly reads?: readonly string[];
}

/** What happens after records have changed. */
export interface PluginReaction {
  /** Collections whose changes it gets. */
  readonly to: readonly string[];
  /** Id of a `ReactionRun`. Its place in the log has this name. */
  readonly run: string;
}

/** Work that is repeated. One process of the site runs it at a time. */
export interface PluginTask {
  /** A whole number with `s`, `m`, `h` or `d`, such as `1h`. */
  readonly every: string;
  /** Id of a `TaskRun`. */
  readonly run: string;
}

/** A shortcode in contents. */
export interface PluginShortcode {
  /** Lower-case letters, digits, hyphens and underscores. */
  readonly name: string;
  /** Id of a `Render`. */
  readonly render: string;
  /** It stands between paragraphs. Default false: it is part of a sentence. */
  readonly block?: boolean;
  /** Collections on which its result depends; `[]` for none. Absent: responses with it are not cached. */
  readonly reads?: readonly string[];
}

/** A block in contents, without markup of its own in the store. */
export interface PluginBlock extends Omit<PluginShortcode, 'block'> {
  /** Such as `reading/minutes`. */
  readonly name: string;
}

/** A document beside the API. */
export interface PluginDocument {
  /** Such as `/reading.txt`. A name in braces stands for a part without slashes: `/sitemap-{part}.xml`. */
  readonly path: string;
  /** Id of a `DocumentWrite`. */
  readonly write: string;
}

/** An answer for addresses that nothing has. */
export interface PluginRewrite {
  /** Id of a `RewriteRun`. */
  readonly run: string;
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
  /** Types, taxonomies and meta keys that it adds to the site. Those that the site declares itself stay. */
  readonly content?: Pick<ContentDefinition, 'types' | 'taxonomies' | 'meta'>;
  /** Collections that it adds to the store. */
  readonly collections?: readonly CollectionDescriptor[];
  /** Schemas of its settings by name, with defaults. */
  readonly settings?: ArgSchemas;
  /** Headers of its responses that pages of other origins may read. `X-CMS-` stands for the prefix of the site. */
  readonly exposes?: readonly string[];
  /** Fields of records of the core. */
  readonly fields?: readonly PluginField[];
  /** What happens after records have changed. */
  readonly reactions?: readonly PluginReaction[];
  /** Shortcodes in contents. */
  readonly shortcodes?: readonly PluginShortcode[];
  /** Blocks in contents. */
  readonly blocks?: readonly PluginBlock[];
  /** Documents beside the API. */
  readonly documents?: readonly PluginDocument[];
  /** Answers for addresses that nothing has, such as redirects. The first that has one counts. */
  readonly rewrites?: readonly PluginRewrite[];
  /** Work that is repeated. */
  readonly tasks?: readonly PluginTask[];
}

/** The members of items whose values are ids of functions, by list. Where the first of them is null, the site does not have the item. */
export const NAMING = {
  fields: ['value', 'write'],
  reactions: ['run'],
  shortcodes: ['render'],
  blocks: ['render'],
  documents: ['write'],
  rewrites: ['run'],
  tasks: ['run'],
} as const satisfies Partial<Readonly<Record<keyof PluginDescriptor, readonly string[]>>>;

/** Gets up to a hundred records, and gives their values by id. A value that is missing is left out. */
export type FieldValue = (
  records: readonly ShownRecord[],
  call: Call,
) => ReadonlyMap<number, unknown> | Promise<ReadonlyMap<number, unknown>>;

/** The record that a commit writes. A new one has a reference, which stands for its id in the same commit. */
export interface WrittenRecord {
  /** Id of the record. */
  readonly id: number | Reference;
}

/** Gets a value that fits the schema, and gives operations for the commit that writes the record. */
export type FieldWrite = (
  value: never,
  record: WrittenRecord,
  call: Call,
) => readonly Operation[] | undefined | void | Promise<readonly Operation[] | undefined | void>;

/** Gets changes in the order of commits, each at least once. What it throws has it called with them again. */
export type ReactionRun = (
  changes: readonly Change[],
  context: { readonly signal: AbortSignal },
) => void | Promise<void>;

/** Does work that is repeated. `signal`: aborted when the site is closed. */
export type TaskRun = (context: { readonly signal: AbortSignal }) => void | Promise<void>;

/** What a shortcode or block stands in. */
export interface RenderPlace {
  /** Rendered content between its two halves. */
  readonly content: string;
  /** The post. null: the content is that of none. */
  readonly record: RenderedRecord | null;
  /** The call that shows it. */
  readonly call: Call;
}

/** Gives HTML, which is cleaned as the content of an author is. */
export type Render = (
  attributes: Readonly<Record<string, unknown>>,
  place: RenderPlace,
) => string | Promise<string>;

/** What a document is asked with. */
export interface DocumentRequest {
  /** Address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Headers, with names in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query of the address, without `?`. Default: ''. */
  readonly query?: string;
}

/** A document. The body is sent as it is made; texts as UTF-8. */
export interface WrittenDocument {
  /** Media type, such as `text/plain; charset=UTF-8`. */
  readonly type: string;
  /** The body, whole or in parts. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a document; null: there is none at this address. `params`: the parts in braces. */
export type DocumentWrite = (
  request: DocumentRequest,
  call: { readonly path: string; readonly params: Readonly<Record<string, string>> },
) => WrittenDocument | null | Promise<WrittenDocument | null>;

/** Gives the address to which a path has moved; null: it knows none. */
export type RewriteRun = (path: string, request: DocumentRequest) => string | null | Promise<string | null>;

/** What the functions of a plugin get once, when the site is built. */
export interface PluginContext<S extends ArgSchemas = ArgSchemas> {
  /** The settings of the site, checked, with defaults. */
  readonly settings: ArgsOf<S>;
  /** The site that the plugin belongs to. */
  readonly site: PluginSite;
}

/** Any function of a plugin. */
export type PluginFunction =
  | Handler
  | Permission
  | ValueCheck
  | Embed
  | FieldValue
  | FieldWrite
  | ReactionRun
  | TaskRun
  | Render
  | DocumentWrite
  | RewriteRun;

/** The functions of a plugin by id. null: this site does not have the part that names it, such as a route or a task. */
export type PluginFunctions = Readonly<Record<string, PluginFunction | null>>;

/** The same functions, of which each may be null. */
type OrNull<T> = { readonly [Id in keyof T]: T[Id] | null };

/** The intersection of the members of a union. */
type Intersect<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The ids of handlers that routes name. */
type HandlerIdOf<N extends NamespaceDescriptor> = N['routes'][number]['endpoints'][number]['handler'];

/** The functions that a namespace names. The compiler does not know the ids of routes that a function makes. */
type OfNamespace<N extends NamespaceDescriptor> =
  string extends HandlerIdOf<N> ? PluginFunctions : OrNull<Handlers<N>> & Permissions<N>;

/** The functions that namespaces or extensions name. */
type OfRoutes<L> = L extends readonly (infer N)[]
  ? Intersect<N extends NamespaceDescriptor ? OfNamespace<N> : unknown>
  : unknown;

/** A function for each id that the items of a list name in a member. */
type OfMember<L, Member extends string, F> = L extends readonly (infer E)[]
  ? {
      readonly [Id in E extends { readonly [K in Member]: infer I extends string } ? I : never]: F | null;
    }
  : unknown;

/** The functions that a descriptor names, with the types of their args. */
export type FunctionsOf<D extends PluginDescriptor> = OfRoutes<D['namespaces']> &
  OfRoutes<D['extends']> &
  OfMember<D['fields'], 'value', FieldValue> &
  OfMember<D['fields'], 'write', FieldWrite> &
  OfMember<D['reactions'], 'run', ReactionRun> &
  OfMember<D['shortcodes'], 'render', Render> &
  OfMember<D['blocks'], 'render', Render> &
  OfMember<D['documents'], 'write', DocumentWrite> &
  OfMember<D['rewrites'], 'run', RewriteRun> &
  OfMember<D['tasks'], 'run', TaskRun>;

/** The schemas of the settings of a plugin. */
export type SettingsOf<D extends PluginDescriptor> = D extends {
  readonly settings: infer S extends ArgSchemas;
}
  ? S
  : Record<never, never>;

/** A field with its functions, and the name of its plugin. A field without `write` cannot be written. */
export interface BoundField extends Omit<PluginField, 'value' | 'write'> {
  readonly plugin: string;
  readonly value: FieldValue;
  readonly write?: FieldWrite | null | undefined;
}

/** What follows when a post goes to the trash or is deleted. */
export interface Departure {
  /** Operations for the commit that removes the post. */
  readonly also: readonly Operation[];
  /** Called after the commit. */
  readonly after: () => void;
}

/** Plans what follows when a post goes to the trash or is deleted. `post`: its id. */
export type PlanDeparture = (post: number, how: 'trashed' | 'deleted') => Promise<Departure>;

/** The ids of posts whenever they change for everybody, until the call ends. */
export type WatchPosts = (call: Call) => Promise<AsyncIterable<number>>;

/** A plugin with the functions of one site. */
export interface BoundPlugin {
  /** Its namespaces. */
  readonly namespaces: readonly Namespace[];
  /** Its routes below other namespaces. */
  readonly extensions: readonly Namespace[];
  /** All its functions by id. A part whose function is null is left out. */
  readonly functions: PluginFunctions;
  /** Shortcodes by name that depend on its settings. */
  readonly shortcodes?: readonly (readonly [name: string, shortcode: Shortcode])[];
  /** What follows when a post goes, in the same commit. */
  readonly departure?: PlanDeparture;
  /** Receives notices of translation jobs where the host has no function for them. It sends them to the option `webhook` of the site. */
  readonly notify?: Notify;
  /** Tells subscribers of the Model Context Protocol of changed posts. */
  readonly watch?: WatchPosts;
}

/** The mistakes of the settings of a plugin. `place`: what messages call their object. */
export type SettingCheck = (place: string, settings: unknown) => Iterable<string>;

/** A plugin: what it does as data, and how its functions are made for a site. Made by `definePlugin`. */
export interface Plugin {
  /** What it does. */
  readonly descriptor: PluginDescriptor;
  /** The checks of its settings by member of the configuration. */
  readonly settings: Readonly<Record<string, SettingCheck>>;
  /** Makes its functions for a site. Its settings have no mistakes. */
  readonly bind: (host: PluginHost) => Promise<BoundPlugin>;
}
