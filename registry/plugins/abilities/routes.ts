import type { LinkDescriptor, ResourceDescriptor, RouteDescriptor } from '../../../lib/index.ts';
import type { PluginDescriptor } from '../../plugin.ts';

/** The namespace that the recorded index lists without routes. */
const NAMESPACE = 'cms-abilities/v1';

const context = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
} as const;

const paging = {
  page: { description: 'Current page of the collection.', type: 'integer', default: 1, minimum: 1 },
  per_page: {
    description: 'Maximum number of items to be returned in result set.',
    type: 'integer',
    default: 50,
    minimum: 1,
    maximum: 100,
  },
} as const;

const FLAG = ['boolean', 'null'] as const;
const annotations = {
  description: 'Behavioral annotations for the ability.',
  type: 'object',
  properties: {
    readonly: { description: 'Whether the ability does not modify its environment.', type: FLAG },
    destructive: {
      description: 'Whether the ability may perform destructive updates to its environment.',
      type: FLAG,
    },
    idempotent: {
      description: 'Whether repeated calls with the same arguments have no additional effect.',
      type: FLAG,
    },
  },
  additionalProperties: true,
} as const;

const ALL = ['view', 'edit', 'embed'] as const;
const FULL = ['view', 'edit'] as const;
const shown = (description: string, type: 'string' | 'object', contexts: readonly string[]) =>
  ({ description, type, context: contexts, readonly: true }) as const;

const VALUE = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'] as const;

export const RESOURCES = {
  ability: {
    title: 'ability',
    properties: {
      name: shown('Unique identifier for the ability.', 'string', ALL),
      label: shown('Display label for the ability.', 'string', ALL),
      description: shown('Description of the ability.', 'string', FULL),
      category: shown('Ability category this ability belongs to.', 'string', ALL),
      input_schema: shown('JSON Schema for the ability input.', 'object', FULL),
      output_schema: shown('JSON Schema for the ability output.', 'object', FULL),
      meta: {
        ...shown('Meta information about the ability.', 'object', FULL),
        properties: {
          annotations,
          public: { description: 'Whether the ability is available to clients.', type: 'boolean' },
        },
      },
    },
  },
  category: {
    title: 'ability-category',
    properties: {
      slug: shown('Unique identifier for the ability category.', 'string', ALL),
      label: shown('Display label for the category.', 'string', ALL),
      description: shown('Description of the category.', 'string', FULL),
      meta: shown('Meta information about the category.', 'object', FULL),
    },
  },
  execution: {
    title: 'ability-execution',
    properties: {
      result: {
        description: 'The result of the ability execution.',
        type: VALUE,
        context: FULL,
        readonly: true,
      },
    },
  },
} as const satisfies Readonly<Record<string, ResourceDescriptor>>;

/** Links of the records. Those of an ability are made of the two parts of its name. */
export const LINKS = {
  ability: {
    self: { href: `/${NAMESPACE}/abilities/{namespace}/{ability}` },
    collection: { href: `/${NAMESPACE}/abilities` },
    'cms:action-run': { href: `/${NAMESPACE}/abilities/{namespace}/{ability}/run` },
  },
  category: {
    self: { href: `/${NAMESPACE}/categories/{slug}` },
    collection: { href: `/${NAMESPACE}/categories` },
    abilities: { href: `/${NAMESPACE}/abilities?category={slug}` },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, LinkDescriptor>>>>;

/** The name in two parts, because a group of a path holds no slash. */
const NAME = '(?P<namespace>[a-z0-9-]+)/(?P<ability>[a-z0-9-]+)';
const name = {
  namespace: { description: 'Namespace of the ability, the part before the slash.', type: 'string' },
  ability: { description: 'Name of the ability in its namespace.', type: 'string' },
} as const;

/** Routes of `cms-abilities/v1`. None is a tool, because each tool is an ability already. */
const ROUTES = [
  {
    pattern: `/${NAMESPACE}/categories`,
    resource: 'category',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'abilities.categories.list',
        permission: 'read',
        tool: false,
        shows: ['page'],
        summary: 'List the categories of abilities',
        args: { context, ...paging },
      },
    ],
  },
  {
    pattern: `/${NAMESPACE}/categories/(?P<slug>[a-z0-9-]+)`,
    resource: 'category',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'abilities.categories.read',
        permission: 'read',
        tool: false,
        shows: ['record'],
        summary: 'Read a category of abilities',
        args: {
          slug: { description: 'Unique identifier for the ability category.', type: 'string' },
          context,
        },
      },
    ],
  },
  {
    pattern: `/${NAMESPACE}/abilities/${NAME}/run`,
    resource: 'execution',
    endpoints: [
      {
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        handler: 'abilities.run',
        permission: 'abilities.reach',
        tool: false,
        answers: { 200: { type: VALUE } },
        summary: 'Run an ability',
        description:
          'Runs the ability: with GET if it reads, with DELETE if it destroys and can be repeated, otherwise with POST.',
        args: {
          ...name,
          input: { description: 'Input parameters for the ability execution.', type: VALUE, default: null },
        },
      },
    ],
  },
  {
    pattern: `/${NAMESPACE}/abilities`,
    resource: 'ability',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'abilities.list',
        permission: 'read',
        tool: false,
        shows: ['page'],
        summary: 'List the abilities',
        description: 'Lists what the site can do for its callers: its endpoints, with their schemas.',
        args: {
          context,
          ...paging,
          category: {
            description: 'Limit results to abilities in specific ability category.',
            type: 'string',
          },
          namespace: { description: 'Limit results to abilities in a specific namespace.', type: 'string' },
          meta: {
            description: 'Limit results to abilities matching all of the given meta fields.',
            type: 'object',
            properties: { annotations },
            additionalProperties: true,
          },
        },
      },
    ],
  },
  {
    pattern: `/${NAMESPACE}/abilities/${NAME}`,
    resource: 'ability',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'abilities.read',
        permission: 'read',
        tool: false,
        shows: ['record'],
        summary: 'Read an ability',
        args: { ...name, context },
      },
    ],
  },
] as const satisfies readonly RouteDescriptor[];

/** What the plugin declares. */
export const ABILITIES = {
  name: 'abilities',
  summary: 'Every endpoint as an ability of WordPress',
  namespaces: [{ namespace: NAMESPACE, routes: ROUTES, resources: RESOURCES }],
} as const satisfies PluginDescriptor;
