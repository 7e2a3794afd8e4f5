import type { ArgsOf } from '../../../lib/route/args.ts';
import type {
  EndpointDescriptor,
  LinkDescriptor,
  Method,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { type Taxonomy, wordsOf } from '../model/content-type.ts';
import {
  contextArg,
  fallbackArg,
  fallbackField,
  forceArg,
  idArg,
  namedListArgs,
  orderbyArg,
  stringArg,
  TEXT_LIST,
  translationArgs,
  translationsAnswer,
  urlArg,
} from '../schemas/common-args.ts';
import { READONLY_VIEW_EDIT, toFields, VIEW_EDIT } from '../schemas/fields.ts';

/** Parameters of the routes of terms, in the order of the index. */

const termIdArg = idArg('ID of the term.');

const termForceArg = forceArg('Must be true: terms cannot be moved to the trash.');

const termReadArgs = { context: contextArg } as const satisfies ArgSchemas;

/** Query parameters of a list of terms. `offset` belongs to flat taxonomies, `parent` to hierarchical ones. */
const listArgs = {
  ...namedListArgs,
  orderby: orderbyArg('terms', 'name', [
    'id',
    'include',
    'name',
    'slug',
    'include_slugs',
    'term_group',
    'description',
    'count',
  ]),
  hide_empty: {
    description: 'Whether to leave out terms that no published post has.',
    type: 'boolean',
    default: false,
  },
  parent: { description: 'Only terms directly below this one; 0 for the top level.', type: 'integer' },
  post: { description: 'Only terms of this post.', type: 'integer', default: null },
  slug: { description: 'Only terms with one of these slugs.', ...TEXT_LIST },
} as const satisfies ArgSchemas;

/** The writable fields of a term. */
const writeArgs = {
  description: stringArg('Description of the term as HTML.'),
  name: stringArg('Name of the term as HTML.'),
  slug: stringArg('Slug of the term, unique among terms of its taxonomy and language.'),
  parent: idArg('ID of the parent term; 0 for the top level.'),
} as const satisfies ArgSchemas;

/** The arguments of a list that a handler gets. */
export type TermListArgs = ArgsOf<typeof listArgs & typeof fallbackArg>;

/** The arguments of a write that a handler gets. */
export type TermWriteArgs = ArgsOf<typeof writeArgs & typeof translationArgs> & {
  readonly meta?: Readonly<Record<string, unknown>>;
};

function omit(args: ArgSchemas, name: string): ArgSchemas {
  return Object.fromEntries(Object.entries(args).filter(([each]) => each !== name));
}

/** Query parameters of the list of a taxonomy. */
function toTermListArgs({ hierarchical }: Taxonomy): ArgSchemas {
  return omit(listArgs, hierarchical ? 'offset' : 'parent');
}

/** The writable fields of the terms of a taxonomy. `meta`: the schema of its registered keys. */
function toTermWriteArgs({ hierarchical }: Taxonomy, meta: ArgSchema): ArgSchemas {
  return { ...(hierarchical ? writeArgs : omit(writeArgs, 'parent')), meta };
}

/** The order in which WordPress lists the contexts of terms. */
const EVERYWHERE = ['view', 'embed', 'edit'] as const;
const READONLY = { context: EVERYWHERE, readonly: true } as const;

const LINK = {
  ...urlArg('URL of the term.'),
  ...READONLY,
} as const satisfies ArgSchema;

const COUNT = {
  description: 'Number of published posts with the term.',
  type: 'integer',
  ...READONLY_VIEW_EDIT,
} as const satisfies ArgSchema;

/** What the resource of a taxonomy depends on. */
interface TermResourceInput {
  readonly taxonomy: Taxonomy;
  /** Path segments of the types of the taxonomy. */
  readonly typeBases: readonly string[];
  /** The schema of its registered meta. */
  readonly meta: ArgSchema;
  readonly languages: readonly string[];
}

/** The link from a term to the records of a type that have it. */
export function toItemsLink({ base }: Taxonomy, typeBase: string): LinkDescriptor {
  return { href: `/cms/v2/${typeBase}?${base}={id}` };
}

/** Fields and links of the terms of a taxonomy. */
function toTermResource({ taxonomy, typeBases, meta, languages }: TermResourceInput): ResourceDescriptor {
  const { name, base, hierarchical } = taxonomy;
  const write = toTermWriteArgs(taxonomy, meta);
  const [first] = typeBases;
  return {
    title: name === 'post_tag' ? 'tag' : name,
    properties: toFields(write, {
      id: { ...termIdArg, ...READONLY },
      ...(taxonomy.owns ? {} : { count: COUNT }),
      description: VIEW_EDIT,
      ...(taxonomy.public ? { link: LINK } : {}),
      name: { ...write['name'], context: EVERYWHERE, required: true },
      slug: EVERYWHERE,
      taxonomy: {
        description: 'Taxonomy of the term.',
        type: 'string',
        enum: [name],
        ...READONLY,
      },
      ...(hierarchical ? { parent: VIEW_EDIT } : {}),
      meta: VIEW_EDIT,
      ml_language: {
        description: 'Language of the term; empty for a term that all languages share.',
        type: 'string',
        enum: ['', ...languages],
        context: EVERYWHERE,
      },
    }),
    // The recorded OPTIONS does not mention it.
    answers: fallbackField,
    links: {
      self: { href: `/cms/v2/${base}/{id}` },
      collection: { href: `/cms/v2/${base}` },
      about: { href: '/cms/v2/taxonomies/{taxonomy}' },
      ...(hierarchical ? { up: { href: `/cms/v2/${base}/{parent}`, embeddable: true } } : {}),
      ...(first === undefined ? {} : { 'cms:post_type': toItemsLink(taxonomy, first) }),
    },
  };
}

const BATCH = { v1: true } as const;
/** The collections that a response about terms depends on. Counts depend on posts. */
const SHOWN = ['terms', 'posts', 'options'] as const;
const CHECKS = { meta: 'cms.meta' } as const;

type TermAction = 'list' | 'create' | 'read' | 'update' | 'remove' | 'translations';

/** Id of a handler or permission of a taxonomy. */
const termActionOf = ({ base }: Taxonomy, action: TermAction): string => `cms.${base}.${action}`;

/** Functions of a taxonomy by id. */
export const byTermAction = <T>(
  taxonomy: Taxonomy,
  functions: Readonly<Record<TermAction, T>>,
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(functions).map(([action, each]) => [termActionOf(taxonomy, action as TermAction), each]),
  );

/** Id of the resource of a taxonomy. */
export const termResourceOf = ({ name }: Taxonomy): string => `term-${name}`;

/** What the endpoints of a taxonomy do. The texts of categories and tags are translated. */
function describeActions({
  labels,
}: Taxonomy): Readonly<Record<TermAction, readonly [summary: string, description: string]>> {
  const { many, word, one } = wordsOf(labels);
  return {
    list: [
      `List ${many}`,
      `Returns a page of the ${many} of a language with the number of published posts of each, filtered by name, slug or post.`,
    ],
    create: [`Create ${one}`, `Creates ${one} with a slug that is unique in its language and returns it.`],
    read: [
      `Get ${one}`,
      `Returns one ${word} with its address and the number of published posts that have it.`,
    ],
    update: [
      `Change ${one}`,
      `Changes the fields of ${one} that are sent and leaves all others as they are.`,
    ],
    translations: [
      `List the translations of ${one}`,
      `Returns the ${word} and its translations, one for each language, with names and addresses.`,
    ],
    remove: [`Delete ${one}`, `Deletes ${one} permanently and takes it from all posts that have it.`],
  };
}

/** Routes and resource of the terms of a taxonomy. */
export function describeTerms(input: TermResourceInput): {
  readonly routes: readonly RouteDescriptor[];
  readonly resource: ResourceDescriptor;
} {
  const { taxonomy, meta } = input;
  const id = termResourceOf(taxonomy);
  const write = toTermWriteArgs(taxonomy, meta);
  const texts = describeActions(taxonomy);
  const act = (action: TermAction, ...methods: readonly Method[]): Omit<EndpointDescriptor, 'args'> => {
    const [summary, description] = texts[action];
    return {
      methods,
      handler: termActionOf(taxonomy, action),
      permission: termActionOf(taxonomy, action),
      summary,
      description,
      allow_batch: BATCH,
    };
  };
  // A flat taxonomy refuses a parent with an error of its own.
  const body = { body: { ...(taxonomy.hierarchical ? {} : { parent: {} }), ...translationArgs } };
  const translations: RouteDescriptor = {
    pattern: `/cms/v2/${taxonomy.base}/(?P<id>[\\d]+)/translations`,
    endpoints: [
      {
        ...act('translations', 'GET'),
        cache: SHOWN,
        answers: { 200: translationsAnswer },
        args: { id: termIdArg },
      },
    ],
  };
  return {
    routes: [
      {
        pattern: `/cms/v2/${taxonomy.base}`,
        resource: id,
        endpoints: [
          {
            ...act('list', 'GET'),
            shows: ['page'],
            cache: SHOWN,
            checks: { search: 'cms.search' },
            args: toTermListArgs(taxonomy),
            body: fallbackArg,
          },
          {
            ...act('create', 'POST'),
            shows: ['record'],
            status: 201,
            checks: CHECKS,
            args: { ...write, name: { ...write['name'], required: true } },
            ...body,
          },
        ],
      },
      {
        pattern: `/cms/v2/${taxonomy.base}/(?P<id>[\\d]+)`,
        resource: id,
        endpoints: [
          {
            ...act('read', 'GET'),
            shows: ['record'],
            cache: SHOWN,
            args: { id: termIdArg, ...termReadArgs },
            body: fallbackArg,
          },
          {
            ...act('update', 'POST', 'PUT', 'PATCH'),
            needs: [taxonomy.capabilities.edit_terms],
            shows: ['record'],
            ifMatch: true,
            checks: CHECKS,
            args: { id: termIdArg, ...write },
            ...body,
          },
          {
            ...act('remove', 'DELETE'),
            needs: [taxonomy.capabilities.delete_terms],
            shows: ['removal'],
            ifMatch: true,
            args: { id: termIdArg, force: termForceArg },
          },
        ],
      },
      translations,
    ],
    resource: toTermResource(input),
  };
}
