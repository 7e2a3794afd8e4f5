import type { ContentModel } from '../model/content-model.ts';
import type { CmsContext } from './cms-context.ts';
import { createCommentsPart } from './comments/comments-part.ts';
import { createModelPart } from './describe/model-part.ts';
import { createMediaPart } from './media/media-part.ts';
import type { CmsPart } from './part.ts';
import { createPostsParts } from './posts-part.ts';
import { createSearchPart } from './search/search-part.ts';
import { createSettingsPart } from './settings/settings-part.ts';
import { createTermsParts } from './terms/terms-part.ts';
import { createUsersPart } from './users/users-part.ts';

interface PartEntry {
  /** Creates the part of a site with this content, or one part for each of its types. Not called if `isServed` is false. */
  readonly create: (context: CmsContext, content: ContentModel) => CmsPart | readonly CmsPart[];
  /** Default: always. */
  readonly isServed?: (content: ContentModel) => boolean;
}

const isCore = ({ core }: ContentModel): boolean => core;

/** Every part of `cms/v2`, in the order of its routes. */
export const PARTS: readonly PartEntry[] = [
  { create: createPostsParts },
  { create: createTermsParts },
  { create: createModelPart, isServed: isCore },
  { create: createUsersPart, isServed: isCore },
  { create: createSettingsPart, isServed: isCore },
  { create: createSearchPart, isServed: isCore },
  { create: createCommentsPart, isServed: isCore },
  { create: createMediaPart, isServed: isCore },
];
