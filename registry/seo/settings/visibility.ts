import { toMembers, toTextList } from '../json.ts';
import { invalidParam } from '../errors.ts';
import type { HandlerGroup, SeoParts } from '../parts.ts';
import { DISMISSED, listNewTypes, type TypeList } from './new-types.ts';
import { changeSeoOption } from './options.ts';

/** Notices about content types that became public: those that the site declares, and those that the host adds to the lists. */
export function createVisibilityHandlers({ ports, config }: SeoParts): HandlerGroup<'seo.visibility.dismissPostType' | 'seo.visibility.dismissTaxonomy'> {
  /** Removes a name from its list. The notice disappears when both lists are empty. */
  async function dismiss(list: TypeList, name: string): Promise<{ message: string; success: true; status: 200 }> {
    let listed = false;
    await changeSeoOption(ports.store, 'visibility', (value) => {
      const lists = toMembers(value);
      const names = toTextList(lists[list]);
      listed = listNewTypes(lists, { config, content: ports.content })[list].includes(name);
      const kept = { ...lists, [list]: names.filter((each) => each !== name) };
      return listed ? { ...kept, [DISMISSED[list]]: [...toTextList(lists[DISMISSED[list]]), name] } : kept;
    });
    return { message: listed ? `The notice about "${name}" was dismissed.` : `"${name}" is not new.`, success: true, status: 200 };
  }

  return {
    'seo.visibility.dismissPostType': ({ post_type_name, postTypeName }) => {
      const name = post_type_name ?? postTypeName ?? '';
      if (!config.postTypes.includes(name)) throw invalidParam('post_type_name', `"${name}" is not a post type of this site. Post types: ${config.postTypes.join(', ')}.`);
      return dismiss('post_types', name);
    },
    'seo.visibility.dismissTaxonomy': ({ taxonomy_name, taxonomyName }) => {
      const name = taxonomy_name ?? taxonomyName ?? '';
      if (!config.taxonomies.includes(name)) throw invalidParam('taxonomy_name', `"${name}" is not a taxonomy of this site. Taxonomies: ${config.taxonomies.join(', ')}.`);
      return dismiss('taxonomies', name);
    },
  };
}
