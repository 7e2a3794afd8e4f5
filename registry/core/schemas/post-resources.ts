import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { DEFAULT_LANGUAGES } from '../settings/options.ts';
import { dateArg, fallbackField, idArg, stringArg, TEXT_LIST, urlArg } from './common-args.ts';
import {
  EDIT,
  EVERYWHERE,
  READONLY,
  READONLY_VIEW_EDIT,
  READONLY_EDIT,
  toFields,
  VIEW_EDIT,
} from './fields.ts';
import { POST_STATUSES, postWriteArgs } from './post-args.ts';

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
  ...READONLY_VIEW_EDIT,
  properties: {
    raw: { ...stringArg('Identifying URL as it is stored.'), ...READONLY_EDIT },
    rendered: {
      ...stringArg('Identifying URL, ready for display.'),
      ...READONLY_VIEW_EDIT,
    },
  },
} as const;

/** Fields of posts. `describe-kind.ts` selects those of a type, and adds those of its taxonomies. */
export const postResource = {
  properties: toFields(postWriteArgs, {
    id: { ...idArg('ID of the post.'), ...READONLY },
    date: EVERYWHERE,
    date_gmt: VIEW_EDIT,
    guid: GUID,
    modified: {
      ...dateArg('When the post was last changed, in the time zone of the site.'),
      ...READONLY_VIEW_EDIT,
    },
    modified_gmt: {
      ...dateArg('When the post was last changed, in GMT.'),
      ...READONLY_VIEW_EDIT,
    },
    password: EDIT,
    slug: EVERYWHERE,
    status: VIEW_EDIT,
    type: { ...stringArg('Type of the post.'), ...READONLY },
    link: {
      ...urlArg('URL of the post.'),
      ...READONLY,
    },
    title: EVERYWHERE,
    content: VIEW_EDIT,
    excerpt: EVERYWHERE,
    author: EVERYWHERE,
    featured_media: EVERYWHERE,
    parent: VIEW_EDIT,
    menu_order: VIEW_EDIT,
    comment_status: VIEW_EDIT,
    ping_status: VIEW_EDIT,
    sticky: VIEW_EDIT,
    template: VIEW_EDIT,
    format: VIEW_EDIT,
    meta: VIEW_EDIT,
    class_list: {
      description: 'CSS class names for the element that contains the post.',
      ...TEXT_LIST,
      ...READONLY_VIEW_EDIT,
    },
    permalink_template: {
      ...stringArg('URL of the post with a placeholder for the slug.'),
      ...READONLY_EDIT,
    },
    generated_slug: {
      ...stringArg('Slug made from the title.'),
      ...READONLY_EDIT,
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
      ...READONLY_VIEW_EDIT,
    },
  }),
  // DELETE returns the post in the trash, and reads name the language that a post stands in for. The recorded OPTIONS does not mention it.
  answers: { status: { ...postWriteArgs.status, enum: [...POST_STATUSES, 'trash'] }, ...fallbackField },
} as const satisfies Pick<ResourceDescriptor, 'properties' | 'answers'>;

const { title, content, excerpt, meta } = postResource.properties;

/** Fields of a revision. Content and excerpt have no `protected`, because anonymous callers cannot read revisions. */
export const revisionResource = {
  properties: {
    author: { ...idArg('ID of the author of the revision.'), context: EVERYWHERE },
    date: {
      ...dateArg('When the revision was made, in the time zone of the site.'),
      context: EVERYWHERE,
    },
    date_gmt: {
      ...dateArg('When the revision was made, in GMT.'),
      context: VIEW_EDIT,
    },
    guid: { ...GUID, description: 'Permanent URL that identifies the revision.' },
    id: { ...idArg('ID of the revision.'), context: EVERYWHERE },
    modified: {
      ...dateArg('When the revision was last changed, in the time zone of the site.'),
      context: VIEW_EDIT,
    },
    modified_gmt: {
      ...dateArg('When the revision was last changed, in GMT.'),
      context: VIEW_EDIT,
    },
    parent: {
      ...idArg('ID of the post that the revision belongs to.'),
      context: EVERYWHERE,
    },
    slug: {
      ...stringArg('Slug of the revision, derived from the ID of its post.'),
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
      ...urlArg('URL of a preview of the post.'),
      ...READONLY_EDIT,
    },
  },
} as const satisfies Pick<ResourceDescriptor, 'properties'>;
