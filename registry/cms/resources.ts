import type { ResourceDescriptor } from '../../lib/descriptor.ts';
import { POST_FORMATS, POST_STATUSES, postWriteArgs } from './args.ts';

const EVERYWHERE = ['view', 'edit', 'embed'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;

const GUID = {
  description: 'The globally unique identifier for the post.', type: 'object', context: VIEW_EDIT, readonly: true, properties: {
    raw: { description: 'GUID for the post, as it exists in the database.', type: 'string', context: EDIT, readonly: true },
    rendered: { description: 'GUID for the post, transformed for display.', type: 'string', context: VIEW_EDIT, readonly: true },
  },
} as const;

/** Fields and links of a post (BEHAVIOUR.md 6 and 14). */
export const postResource = {
  title: 'post',
  properties: {
    id: { description: 'Unique identifier for the post.', type: 'integer', context: EVERYWHERE, readonly: true },
    date: { ...postWriteArgs.date, context: EVERYWHERE },
    date_gmt: { ...postWriteArgs.date_gmt, context: VIEW_EDIT },
    guid: GUID,
    modified: { description: "The date the post was last modified, in the site's timezone.", type: 'string', format: 'date-time', context: VIEW_EDIT, readonly: true },
    modified_gmt: { description: 'The date the post was last modified, as GMT.', type: 'string', format: 'date-time', context: VIEW_EDIT, readonly: true },
    password: { ...postWriteArgs.password, context: EDIT },
    slug: { ...postWriteArgs.slug, context: EVERYWHERE },
    status: { ...postWriteArgs.status, enum: POST_STATUSES, context: VIEW_EDIT },
    type: { description: 'Type of post.', type: 'string', context: EVERYWHERE, readonly: true },
    link: { description: 'URL to the post.', type: 'string', format: 'uri', context: EVERYWHERE, readonly: true },
    title: { ...postWriteArgs.title, context: EVERYWHERE },
    content: { ...postWriteArgs.content, context: VIEW_EDIT },
    excerpt: { ...postWriteArgs.excerpt, context: EVERYWHERE },
    author: { ...postWriteArgs.author, context: EVERYWHERE },
    featured_media: { ...postWriteArgs.featured_media, context: EVERYWHERE },
    comment_status: { ...postWriteArgs.comment_status, context: VIEW_EDIT },
    ping_status: { ...postWriteArgs.ping_status, context: VIEW_EDIT },
    sticky: { ...postWriteArgs.sticky, context: VIEW_EDIT },
    template: { ...postWriteArgs.template, context: VIEW_EDIT },
    format: { ...postWriteArgs.format, enum: POST_FORMATS, context: VIEW_EDIT },
    meta: { ...postWriteArgs.meta, context: VIEW_EDIT },
    categories: { ...postWriteArgs.categories, context: VIEW_EDIT },
    tags: { ...postWriteArgs.tags, context: VIEW_EDIT },
    class_list: { description: 'An array of the class names for the post container element.', type: 'array', items: { type: 'string' }, context: VIEW_EDIT, readonly: true },
    permalink_template: { description: 'Permalink template for the post.', type: 'string', context: EDIT, readonly: true },
    generated_slug: { description: 'Slug automatically generated from the post title.', type: 'string', context: EDIT, readonly: true },
    ml_language: { description: 'Language of the post.', type: 'string', enum: ['nl', 'en', 'fr'], context: EVERYWHERE },
    ml_translations: {
      description: 'Translations of the post: language code to post ID.', type: 'object', additionalProperties: { type: 'integer' },
      context: VIEW_EDIT, readonly: true,
    },
  },
  links: {
    self: { href: '/cms/v2/posts/{id}' },
    collection: { href: '/cms/v2/posts' },
    about: { href: '/cms/v2/types/{type}' },
    author: { href: '/cms/v2/users/{author}', embeddable: true },
    replies: { href: '/cms/v2/comments?post={id}', embeddable: true },
    'version-history': { href: '/cms/v2/posts/{id}/revisions' },
    'cms:featuredmedia': { href: '/cms/v2/media/{featured_media}', embeddable: true },
    'cms:attachment': { href: '/cms/v2/media?parent={id}' },
    'cms:action-publish': { href: '/cms/v2/posts/{id}', when: 'publish_posts' },
    'cms:action-unfiltered-html': { href: '/cms/v2/posts/{id}', when: 'unfiltered_html' },
    'cms:action-sticky': { href: '/cms/v2/posts/{id}', when: 'edit_others_posts' },
    'cms:action-assign-author': { href: '/cms/v2/posts/{id}', when: 'edit_others_posts' },
    'cms:action-create-categories': { href: '/cms/v2/posts/{id}', when: 'manage_categories' },
    'cms:action-assign-categories': { href: '/cms/v2/posts/{id}', when: 'edit_posts' },
    'cms:action-create-tags': { href: '/cms/v2/posts/{id}', when: 'edit_posts' },
    'cms:action-assign-tags': { href: '/cms/v2/posts/{id}', when: 'edit_posts' },
  },
} as const satisfies ResourceDescriptor;

const { title, content, excerpt, meta } = postResource.properties;

/** Fields of a revision (BEHAVIOUR.md 10): content and excerpt know nothing of protection, for no stranger ever reads them. */
export const revisionResource = {
  title: 'post-revision',
  properties: {
    author: { description: 'The ID for the author of the revision.', type: 'integer', context: EVERYWHERE },
    date: { description: "The date the revision was published, in the site's timezone.", type: 'string', format: 'date-time', context: EVERYWHERE },
    date_gmt: { description: 'The date the revision was published, as GMT.', type: 'string', format: 'date-time', context: VIEW_EDIT },
    guid: { ...GUID, description: 'GUID for the revision, as it exists in the database.' },
    id: { description: 'Unique identifier for the revision.', type: 'integer', context: EVERYWHERE },
    modified: { description: "The date the revision was last modified, in the site's timezone.", type: 'string', format: 'date-time', context: VIEW_EDIT },
    modified_gmt: { description: 'The date the revision was last modified, as GMT.', type: 'string', format: 'date-time', context: VIEW_EDIT },
    parent: { description: 'The ID for the parent of the revision.', type: 'integer', context: EVERYWHERE },
    slug: { description: 'An alphanumeric identifier for the revision unique to its type.', type: 'string', context: EVERYWHERE },
    title,
    content: { ...content, properties: { raw: content.properties.raw, rendered: content.properties.rendered } },
    excerpt: { ...excerpt, properties: { raw: excerpt.properties.raw, rendered: excerpt.properties.rendered } },
    meta,
  },
  links: { parent: { href: '/cms/v2/posts/{parent}' } },
} as const satisfies ResourceDescriptor;

/** Fields of an autosave: those of a revision, and where it can be looked at. */
export const autosaveResource = {
  title: 'post-revision',
  properties: {
    ...revisionResource.properties,
    preview_link: { description: 'Preview link for the post.', type: 'string', format: 'uri', context: EDIT, readonly: true },
  },
  links: revisionResource.links,
} as const satisfies ResourceDescriptor;
