import { can } from '../../../lib/core/identity.ts';
import { perNames } from '../../../lib/core/names.ts';
import type { PlainSource } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import { createRecordLinks, prepareLink } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  showMembers,
  toFaultEvent,
} from '../../../lib/route/render-record.ts';
import { and, eq, not, oneOf, or } from '../../../lib/store/query.ts';
import { type LinkParts, loadLinkParts, permalink } from '../addresses/permalink.ts';
import { addParagraphs } from '../content/html/paragraphs.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import { allowedMethods } from '../records/rights.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { toAvatarUrls } from '../users/view.ts';
import { mayChange, MODERATE, NOTE, type PostAccess } from './permissions.ts';

/** What the comments of a response have in common. */
interface Surroundings {
  readonly call: Call;
  readonly settings: SiteSettings;
  readonly posts: ReadonlyMap<number, PostRecord>;
  readonly linkParts: LinkParts;
  /** Ids of existing parents, and of comments with replies that the caller may know of. */
  readonly parents: ReadonlySet<number>;
  readonly answered: ReadonlySet<number>;
}

interface CommentView extends Surroundings {
  readonly comment: CommentRecord;
}

const NO_AVATARS = { 24: false, 48: false, 96: false } as const;
/** Comments that other sites send have no avatar. */
const SENT_BY_SITES: ReadonlySet<string> = new Set(['pingback', 'trackback']);

const linksOf = perNames((names) => ({
  reply: prepareLink('in-reply-to', { href: '/cms/v2/comments/{parent}', embeddable: true }, names),
  children: prepareLink('children', { href: '/cms/v2/comments?parent={id}', embeddable: true }, names),
}));

/** Loads what the comments have in common. */
async function loadSurroundings(
  { store, settings, content: { types } }: CmsDeps,
  comments: readonly CommentRecord[],
  call: Call,
): Promise<Surroundings> {
  const ids = comments.map(({ id }) => id);
  // Only who sees a note may know of the notes below it.
  const notes = comments.filter(({ type }) => type === NOTE).map(({ id }) => id);
  const known = can(call.identity, MODERATE) ? ['approved', 'hold'] : ['approved'];
  const [found, above, below, ready] = await Promise.all([
    store.find({
      collection: 'posts',
      where: oneOf('id', [...new Set(comments.map(({ post }) => post))]),
      longTexts: 'omit',
    }),
    store.find({
      collection: 'comments',
      where: oneOf('id', [...new Set(comments.map(({ parent }) => parent))]),
      fields: [],
    }),
    store.find({
      collection: 'comments',
      where: and(
        oneOf('parent', ids),
        oneOf('status', known),
        or(oneOf('parent', notes), not(eq('type', NOTE))),
      ),
      fields: ['parent'],
    }),
    settings(),
  ]);
  const posts = found.records.map(toPost);
  return {
    call,
    settings: ready,
    posts: new Map(posts.map((post) => [post.id, post])),
    linkParts: await loadLinkParts({ store, types, settings: ready }, posts),
    parents: new Set(above.records.map(({ id }) => id)),
    answered: new Set(below.records.map((record) => Number(record['parent']))),
  };
}

function createCommentLinks(
  { links = {} }: ResourceDescriptor,
  { content, access }: { content: ContentModel; access: PostAccess },
) {
  const toLinks = createRecordLinks(links);
  const allowed = ({ comment, call, posts }: CommentView): readonly string[] => {
    const isOpen = mayChange({ access }, call, { comment, post: posts.get(comment.post) ?? null });
    return allowedMethods(isOpen, isOpen);
  };
  return (view: CommentView): object => {
    const {
      comment,
      call: { site },
      posts,
      parents,
      answered,
    } = view;
    const out = toLinks(comment, view.call, allowed(view));
    const { reply, children } = linksOf(site.names);
    const type = content.types.get(posts.get(comment.post)?.type ?? '');
    if (type !== undefined)
      out['up'] = [
        { embeddable: true, post_type: type.name, href: site.url(`/cms/v2/${type.base}/${comment.post}`) },
      ];
    if (parents.has(comment.parent)) out[reply.relation] = [reply.toLink(site, comment)];
    if (answered.has(comment.id)) out[children.relation] = [children.toLink(site, comment)];
    return out;
  };
}

function createRenderers(meta: RecordMeta, { types }: ContentModel): Renderers<CommentView> {
  const toLink = ({ comment, call: { site }, posts, linkParts, settings }: CommentView): string => {
    const post = posts.get(comment.post);
    const type = types.get(post?.type ?? '');
    const page =
      post === undefined || type === undefined
        ? `${site.home()}/`
        : permalink(post, site, { type, linkParts, settings });
    return `${page}#comment-${comment.id}`;
  };
  return {
    ...showMembers(
      ({ comment }: CommentView) => comment,
      [
        'id',
        'author',
        'author_email',
        'author_ip',
        'author_name',
        'author_url',
        'author_user_agent',
        'date',
        'date_gmt',
        'parent',
        'post',
        'status',
        'type',
      ],
    ),
    content: {
      raw: ({ comment }) => comment.content,
      rendered: ({ comment }) => addParagraphs(comment.content),
    },
    link: toLink,
    author_avatar_urls: ({ comment }) =>
      SENT_BY_SITES.has(comment.type) ? NO_AVATARS : toAvatarUrls(comment.author_email),
    meta: ({ comment }) => meta.show(comment.meta),
  };
}

/** Creates the function that shows comments. */
export function createShowComments(
  cms: CmsDeps,
  resource: ResourceDescriptor,
  { meta, access }: { meta: RecordMeta; access: PostAccess },
): PlainSource<CommentRecord>['show'] {
  const render = createRecordRenderer<CommentView>(resource.properties, createRenderers(meta, cms.content), {
    links: createCommentLinks(resource, { content: cms.content, access }),
    onFault: ({ comment }, fault) => cms.log(toFaultEvent(`comment ${comment.id}`, fault)),
  });
  return async (comments, { call, context }) => {
    const surroundings = await loadSurroundings(cms, comments, call);
    return (comment, fields) =>
      render(
        { ...surroundings, comment: toShownTexts('comments', comment) },
        { context, names: call.site.names, fields },
      );
  };
}
