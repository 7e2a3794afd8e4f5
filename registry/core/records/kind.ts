import { perObject } from '../../../lib/core/objects.ts';
import { FOOTNOTES } from '../model/built-in.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType, Support } from '../model/content-type.ts';
import type { MetaKey } from '../model/meta-key.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { toRights, type Rights } from './rights.ts';

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
export function createKinds({ core, types, taxonomies, meta }: ContentModel): PostKinds {
  const family = {};
  const kinds = [...types.values()]
    .filter(({ storage }) => storage === 'posts')
    .map((type): [string, PostKind] => [
      type.name,
      {
        type,
        family,
        rights: toRights(type),
        meta: meta.get(type.name) ?? [],
        showsAllMeta: !core && (meta.get(type.name) ?? []).every(({ key }) => Object.hasOwn(FOOTNOTES, key)),
        taxonomies: type.taxonomies.flatMap((name) => taxonomies.get(name) ?? []),
      },
    ]);
  return new Map(kinds);
}

/** Whether records of the type have something. */
export function has({ type }: PostKind, feature: Support): boolean {
  return type.features.has(feature);
}

/** A value that is made once for each kind, when it is first needed. */
export const perKind: <T>(create: (kind: PostKind) => T) => (kind: PostKind) => T = perObject;
