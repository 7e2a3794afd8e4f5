import { contributeComments } from './comments/contribution.ts';
import type { CmsContribution } from './host/contribution.ts';
import { contributeMedia } from './media/contribution.ts';
import type { ContentModel } from './model/content-model.ts';
import type { CmsDeps } from './post-views/cms-deps.ts';
import { contributePosts } from './posts/contribution.ts';
import { contributeSearch } from './search/contribution.ts';
import { contributeModel } from './site/contribution.ts';
import { contributeSettings } from './site/settings-contribution.ts';
import { contributeTerms } from './terms/contribution.ts';
import { contributeUsers } from './users/contribution.ts';

interface Entry {
  /** Creates the contribution of a site with this content, or one for each of its types. Not called if `isServed` is false. */
  readonly create: (context: CmsDeps, content: ContentModel) => CmsContribution | readonly CmsContribution[];
  /** Default: always. */
  readonly isServed?: (content: ContentModel) => boolean;
}

const isCore = ({ core }: ContentModel): boolean => core;

/** Every contribution to `cms/v2`, in the order of its routes. */
export const CONTRIBUTIONS: readonly Entry[] = [
  { create: contributePosts },
  { create: contributeTerms },
  { create: contributeModel, isServed: isCore },
  { create: contributeUsers, isServed: isCore },
  { create: contributeSettings, isServed: isCore },
  { create: contributeSearch, isServed: isCore },
  { create: contributeComments, isServed: isCore },
  { create: contributeMedia, isServed: isCore },
];
