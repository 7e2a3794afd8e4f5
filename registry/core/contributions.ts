import { createCommentsPart } from './comments/contribution.ts';
import type { CmsPart } from './host/contribution.ts';
import { createMediaPart } from './media/contribution.ts';
import type { ContentModel } from './model/content-model.ts';
import type { CmsContext } from './post-views/cms-deps.ts';
import { createPostsParts } from './posts/contribution.ts';
import { createSearchPart } from './search/contribution.ts';
import { createModelPart } from './site/contribution.ts';
import { createSettingsPart } from './site/settings-contribution.ts';
import { createTermsParts } from './terms/contribution.ts';
import { createUsersPart } from './users/contribution.ts';

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
