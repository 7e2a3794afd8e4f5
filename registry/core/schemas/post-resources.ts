import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { DEFAULT_LANGUAGES } from '../settings/options.ts';
import { fallbackField } from './common-args.ts';
import { POST_FORMATS, POST_STATUSES, postWriteArgs } from './post-args.ts';

const EVERYWHERE = ['view', 'edit', 'embed'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;

const orEmpty = (schema: ArgSchema): ArgSchema => ({
  description: schema.description ?? '',
  oneOf: [schema, { type: 'string', enum: [''] }],
});

/** A resource whose dates may be empty in responses: a record of a fixture or an import may have none, which the recorded OPTIONS does not mention. */
export function withEmptyDates<R extends ResourceDescriptor>(resource: R): R {
  const dates = Object.entries<ArgSchema>(resource.properties)
    .filter(([, { format }]) => format === 'date-time')
    .map(([name, schema]) => [name, orEmpty(schema)]);
  return { ...resource, answers: { ...Object.fromEntries(dates), ...resource.answers } };
}

/** The identifying URL of a record. */
export const GUID = {
  description: 'Permanent URL that identifies the post, for example in feeds.',
  type: 'object',
  context: VIEW_EDIT,
  readonly: true,
  properties: {
    raw: { description: 'Identifying URL as it is stored.', type: 'string', context: EDIT, readonly: true },
    rendered: {
      description: 'Identifying URL, ready for display.',
      type: 'string',
      context: VIEW_EDIT,
      readonly: true,
    },
  },
} as const;

/** Fields of posts. `describe-kind.ts` selects those of a type, and adds those of its taxonomies. */
export const postResource = {
  properties: {
    id: { description: 'ID of the post.', type: 'integer', context: EVERYWHERE, readonly: true },
    date: { ...postWriteArgs.date, context: EVERYWHERE },
    date_gmt: { ...postWriteArgs.date_gmt, context: VIEW_EDIT },
    guid: GUID,
    modified: {
      description: 'When the post was last changed, in the time zone of the site.',
      type: 'string',
      format: 'date-time',
      context: VIEW_EDIT,
      readonly: true,
    },
    modified_gmt: {
      description: 'When the post was last changed, in GMT.',
      type: 'string',
      format: 'date-time',
      context: VIEW_EDIT,
      readonly: true,
    },
    password: { ...postWriteArgs.password, context: EDIT },
    slug: { ...postWriteArgs.slug, context: EVERYWHERE },
    status: { ...postWriteArgs.status, enum: POST_STATUSES, context: VIEW_EDIT },
    type: { description: 'Type of the post.', type: 'string', context: EVERYWHERE, readonly: true },
    link: {
      description: 'URL of the post.',
      type: 'string',
      format: 'uri',
      context: EVERYWHERE,
      readonly: true,
    },
    title: { ...postWriteArgs.title, context: EVERYWHERE },
    content: { ...postWriteArgs.content, context: VIEW_EDIT },
    excerpt: { ...postWriteArgs.excerpt, context: EVERYWHERE },
    author: { ...postWriteArgs.author, context: EVERYWHERE },
    featured_media: { ...postWriteArgs.featured_media, context: EVERYWHERE },
    parent: { ...postWriteArgs.parent, context: VIEW_EDIT },
    menu_order: { ...postWriteArgs.menu_order, context: VIEW_EDIT },
    comment_status: { ...postWriteArgs.comment_status, context: VIEW_EDIT },
    ping_status: { ...postWriteArgs.ping_status, context: VIEW_EDIT },
    sticky: { ...postWriteArgs.sticky, context: VIEW_EDIT },
    template: { ...postWriteArgs.template, context: VIEW_EDIT },
    format: { ...postWriteArgs.format, enum: POST_FORMATS, context: VIEW_EDIT },
    meta: { ...postWriteArgs.meta, context: VIEW_EDIT },
    class_list: {
      description: 'CSS class names for the element that contains the post.',
      type: 'array',
      items: { type: 'string' },
      context: VIEW_EDIT,
      readonly: true,
    },
    permalink_template: {
      description: 'URL of the post with a placeholder for the slug.',
      type: 'string',
      context: EDIT,
      readonly: true,
    },
    generated_slug: {
      description: 'Slug made from the title.',
      type: 'string',
      context: EDIT,
      readonly: true,
    },
    ml_language: {
      description: 'Language of the post.',
      type: 'string',
      enum: DEFAULT_LANGUAGES,
      context: EVERYWHERE,
    },
    ml_translations: {
      description: 'Translations of the post: language code to post ID.',
      type: 'object',
      additionalProperties: { type: 'integer' },
      context: VIEW_EDIT,
      readonly: true,
    },
  },
  // DELETE returns the post in the trash, and reads name the language that a post stands in for. The recorded OPTIONS does not mention it.
  answers: { status: { ...postWriteArgs.status, enum: [...POST_STATUSES, 'trash'] }, ...fallbackField },
} as const satisfies Pick<ResourceDescriptor, 'properties' | 'answers'>;

const { title, content, excerpt, meta } = postResource.properties;

/** Fields of a revision. Content and excerpt have no `protected`, because anonymous callers cannot read revisions. */
export const revisionResource = {
  properties: {
    author: { description: 'ID of the author of the revision.', type: 'integer', context: EVERYWHERE },
    date: {
      description: 'When the revision was made, in the time zone of the site.',
      type: 'string',
      format: 'date-time',
      context: EVERYWHERE,
    },
    date_gmt: {
      description: 'When the revision was made, in GMT.',
      type: 'string',
      format: 'date-time',
      context: VIEW_EDIT,
    },
    guid: { ...GUID, description: 'Permanent URL that identifies the revision.' },
    id: { description: 'ID of the revision.', type: 'integer', context: EVERYWHERE },
    modified: {
      description: 'When the revision was last changed, in the time zone of the site.',
      type: 'string',
      format: 'date-time',
      context: VIEW_EDIT,
    },
    modified_gmt: {
      description: 'When the revision was last changed, in GMT.',
      type: 'string',
      format: 'date-time',
      context: VIEW_EDIT,
    },
    parent: {
      description: 'ID of the post that the revision belongs to.',
      type: 'integer',
      context: EVERYWHERE,
    },
    slug: {
      description: 'Slug of the revision, derived from the ID of its post.',
      type: 'string',
      context: EVERYWHERE,
    },
    title,
    content: {
      ...content,
      properties: { raw: content.properties.raw, rendered: content.properties.rendered },
    },
    excerpt: {
      ...excerpt,
      properties: { raw: excerpt.properties.raw, rendered: excerpt.properties.rendered },
    },
    meta,
  },
} as const satisfies Pick<ResourceDescriptor, 'properties'>;

/** Fields of an autosave: those of a revision, and the address of its preview. */
export const autosaveResource = {
  properties: {
    ...revisionResource.properties,
    preview_link: {
      description: 'URL of a preview of the post.',
      type: 'string',
      format: 'uri',
      context: EDIT,
      readonly: true,
    },
  },
} as const satisfies Pick<ResourceDescriptor, 'properties'>;
