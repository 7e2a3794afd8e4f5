import type { Store } from '../../../lib/store/store.ts';
import type { ContentType } from '../model/content-type.ts';
import type { ReadSettings } from '../settings/site-settings.ts';
import { loadLinkParts, type TypedAddress } from './link-parts.ts';
import { permalink, type Homes } from './permalink.ts';

/** What addresses of posts are loaded from: the `store`, the `settings` of the site, and its `types` by name. */
interface AddressPorts {
  readonly store: Store;
  readonly settings: ReadSettings;
  readonly types: ReadonlyMap<string, ContentType>;
}

/** Address of one of the posts on the site; '' for a post whose type the site does not have. */
type AddressOf = (post: TypedAddress, site: Homes) => string;

/** Loads what the addresses of posts of any type depend on. */
export async function loadAddresses(
  { store, settings: readSettings, types }: AddressPorts,
  posts: readonly TypedAddress[],
): Promise<AddressOf> {
  const settings = await readSettings();
  const linkParts = await loadLinkParts({ store, types, settings }, posts);
  return (post, site) => {
    const type = types.get(post.type);
    return type === undefined ? '' : permalink(post, site, { type, linkParts, settings });
  };
}
