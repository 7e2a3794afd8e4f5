import { perObject } from '../../../lib/core/objects.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { tooLong, toSentence } from '../../../lib/schema/failure-messages.ts';
import { type Invalid } from '../../../lib/schema/invalid.ts';
import { FOOTNOTES } from '../model/built-in.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType, Support, Taxonomy } from '../model/content-type.ts';
import type { MetaKey } from '../model/meta-key.ts';
import { POST_STATUSES, postListArgs } from '../schemas/post-args.ts';
import { checkMetaObject } from './meta-values.ts';
import { type Rights, toRights } from './rights.ts';

/** A `type` whose records are posts, with its `taxonomies`, its `rights` and everything else that its model says. */
export interface PostKind {
  readonly type: ContentType;
  readonly taxonomies: readonly Taxonomy[];
  /** Registered meta keys, including those that are not shown. */
  readonly meta: readonly MetaKey[];
  readonly rights: Rights;
  /** A seed whose owner declares no meta keys shows every stored value, as it always did. */
  readonly showsAllMeta: boolean;
  /** One object for all types of a site, by which they keep what they share. */
  readonly family: object;
}

/** The types of the site whose records are posts, by name. */
export type PostKinds = ReadonlyMap<string, PostKind>;

/** All types whose records are posts. Records of other types are shown to nobody. */
export function createKinds({ core, postTypes, taxonomies, meta }: ContentModel): PostKinds {
  const family = {};
  return new Map(
    postTypes.map((type) => {
      const keys = meta.get(type.name) ?? [];
      const kind: PostKind = {
        type,
        family,
        rights: toRights(type),
        meta: keys,
        showsAllMeta: !core && keys.every(({ key }) => Object.hasOwn(FOOTNOTES, key)),
        taxonomies: type.taxonomies.flatMap((name) => taxonomies.get(name) ?? []),
      };
      return [type.name, kind];
    }),
  );
}

/** Whether records of the type have something. */
export function has({ type }: PostKind, feature: Support): boolean {
  return type.features.has(feature);
}

/** A value that is made once for each kind, when it is first needed. */
export const perKind: <T>(create: (kind: PostKind) => T) => (kind: PostKind) => T = perObject;

export const FILTER_STATUSES: readonly string[] = postListArgs.status.items.enum;
/** Statuses that a post can have but that cannot be set. They are accepted if the post has that status already, which only the handler knows. */
const KEPT_STATUSES: ReadonlySet<string> = new Set(['trash']);

function isStatusList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function refuseStatus(isAnonymous: boolean): Invalid {
  return {
    code: 'rest_forbidden_status',
    message: 'Status is forbidden.',
    data: { status: isAnonymous ? 401 : 403 },
  };
}

/** What `status` of a list accepts, by the rights of its type, so that types with the same rights share their compiled parameters: only callers who can edit posts of the type may list those that are not published. WordPress names item 0 in the error, whichever item is wrong. */
const toStatusFilter = perObject((rights: Rights): ValueCheck => (value, identity) => {
  if (!isStatusList(value)) return null;
  const others = value.filter((status) => status !== 'publish');
  if (others.length === 0) return 'valid';
  if (!rights.has(identity, 'edit_posts')) return refuseStatus(identity.id === 0);
  if (others.every((status) => FILTER_STATUSES.includes(status))) return 'valid';
  return {
    code: 'rest_not_in_enum',
    message: `status[0] is not one of ${toSentence(FILTER_STATUSES)}.`,
    data: null,
  };
});

/** Accepts `trash` and leaves it to the handler, which knows whether the post is in the trash already. */
const checkStatusToWrite: ValueCheck = (value) =>
  typeof value === 'string' && KEPT_STATUSES.has(value) ? 'valid' : null;

/** The site has no theme and therefore no template except the default one. */
const checkTemplate: ValueCheck = (value) =>
  value === '' ? 'valid' : { code: 'rest_invalid_param', message: 'template is not one of .', data: null };

/** Longest search in characters. WordPress ignores a longer one and responds as if there were no search. */
const SEARCH_LIMIT = 1600;

/** A separate check, because the schema must look as in the index of WordPress. */
export const checkSearch: ValueCheck = (value) =>
  typeof value === 'string' && value.length > SEARCH_LIMIT ? tooLong('search', SEARCH_LIMIT) : null;

/** The error for a status that cannot be set. */
export const UNWRITABLE_STATUS: Invalid = {
  code: 'rest_not_in_enum',
  message: `status is not one of ${toSentence(POST_STATUSES)}.`,
  data: null,
};

/** The value checks of a type, by name. */
export function createPostChecks({ rights }: PostKind): Readonly<Record<string, ValueCheck>> {
  return {
    'status-filter': toStatusFilter(rights),
    'status-to-write': checkStatusToWrite,
    template: checkTemplate,
    meta: checkMetaObject,
    search: checkSearch,
  };
}
