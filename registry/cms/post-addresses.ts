import type { Store } from '../../lib/store/store.ts';
import type { ContentType } from '../model/content-type.ts';
import type { ReadSettings } from '../site/settings.ts';
import { loadAncestors, NO_ANCESTORS, permalink, type Addressed, type Homes } from './permalink.ts';

/** A post of any type, as its address needs it: the fields `ADDRESSED`. */
export type TypedAddress = Addressed & { readonly type: string };

interface AddressPorts {
  readonly store: Store;
  readonly settings: ReadSettings;
  readonly types: ReadonlyMap<string, ContentType>;
}

/** Address of one of the posts on the site; '' for a post whose type the site does not have. */
export type AddressOf = (post: TypedAddress, site: Homes) => string;

/** Loads what the addresses of posts of any type depend on. */
export async function loadAddresses({ store, settings: readSettings, types }: AddressPorts, posts: readonly TypedAddress[]): Promise<AddressOf> {
  const nested = posts.filter(({ type, parent }) => parent !== 0 && types.get(type)?.hierarchical === true);
  const [settings, ancestors] = await Promise.all([readSettings(), nested.length === 0 ? NO_ANCESTORS : loadAncestors(store, nested)]);
  return (post, site) => {
    const type = types.get(post.type);
    return type === undefined ? '' : permalink(post, site, { type, ancestors, settings });
  };
}
