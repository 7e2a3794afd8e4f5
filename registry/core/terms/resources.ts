import type { LinkDescriptor, ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { fallbackField } from '../schemas/translation-args.ts';
import { toTermWriteArgs } from './args.ts';

const EVERYWHERE = ['view', 'embed', 'edit'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;

const LINK = {
  description: 'URL of the term.',
  type: 'string',
  format: 'uri',
  context: EVERYWHERE,
  readonly: true,
} as const satisfies ArgSchema;

const COUNT = {
  description: 'Number of published posts with the term.',
  type: 'integer',
  context: VIEW_EDIT,
  readonly: true,
} as const satisfies ArgSchema;

/** What the resource of a taxonomy depends on. */
export interface TermResourceInput {
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
export function toTermResource({
  taxonomy,
  typeBases,
  meta,
  languages,
}: TermResourceInput): ResourceDescriptor {
  const { name, base, hierarchical } = taxonomy;
  const write = toTermWriteArgs(taxonomy, meta);
  const [first] = typeBases;
  return {
    title: name === 'post_tag' ? 'tag' : name,
    properties: {
      id: { description: 'ID of the term.', type: 'integer', context: EVERYWHERE, readonly: true },
      ...(taxonomy.owns ? {} : { count: COUNT }),
      description: { ...write['description'], context: VIEW_EDIT },
      ...(taxonomy.public ? { link: LINK } : {}),
      name: { ...write['name'], context: EVERYWHERE, required: true },
      slug: { ...write['slug'], context: EVERYWHERE },
      taxonomy: {
        description: 'Taxonomy of the term.',
        type: 'string',
        enum: [name],
        context: EVERYWHERE,
        readonly: true,
      },
      ...(hierarchical ? { parent: { ...write['parent'], context: VIEW_EDIT } } : {}),
      meta: { ...meta, context: VIEW_EDIT },
      ml_language: {
        description: 'Language of the term; empty for a term that all languages share.',
        type: 'string',
        enum: ['', ...languages],
        context: EVERYWHERE,
      },
    },
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
