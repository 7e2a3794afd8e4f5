import type {
  EndpointDescriptor,
  Method,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import { wordsOf } from '../model/content-type.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { fallbackArg, translationArgs, translationsAnswer } from '../schemas/translation-args.ts';
import { termForceArg, termIdArg, termReadArgs, toTermListArgs, toTermWriteArgs } from './args.ts';
import { toTermResource, type TermResourceInput } from './resources.ts';

const BATCH = { v1: true } as const;
/** The collections that a response about terms depends on. Counts depend on posts. */
const SHOWN = ['terms', 'posts', 'options'] as const;
const CHECKS = { meta: 'cms.meta' } as const;

type TermAction = 'list' | 'create' | 'read' | 'update' | 'remove' | 'translations';

/** Id of a handler or permission of a taxonomy. */
export const termActionOf = ({ base }: Taxonomy, action: TermAction): string => `cms.${base}.${action}`;

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

const NO_NEEDS = (): Pick<EndpointDescriptor, 'needs'> => ({});
const NEEDS: Readonly<Record<TermAction, (taxonomy: Taxonomy) => Pick<EndpointDescriptor, 'needs'>>> = {
  list: NO_NEEDS,
  create: NO_NEEDS,
  read: NO_NEEDS,
  translations: NO_NEEDS,
  update: ({ capabilities }) => ({ needs: [capabilities.edit_terms] }),
  remove: ({ capabilities }) => ({ needs: [capabilities.delete_terms] }),
};

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
      ...NEEDS[action](taxonomy),
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
            shows: ['record'],
            ifMatch: true,
            checks: CHECKS,
            args: { id: termIdArg, ...write },
            ...body,
          },
          {
            ...act('remove', 'DELETE'),
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
