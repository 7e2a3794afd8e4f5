import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { invalidParam, missingParam } from '../values/errors.ts';
import { toMembers, toTextList } from '../values/json.ts';
import { changeSeoOption } from '../values/options.ts';
import { DISMISSED, listNewTypes, type TypeList } from './new-types.ts';

/** The name under the parameter that was given: clients send either of the two. @throws RestError `rest_missing_callback_param`, `rest_invalid_param` */
function readName(
  params: Readonly<Record<string, string | undefined>>,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
): string {
  const given = Object.entries(params).find(([, value]) => value !== undefined);
  if (given === undefined) throw missingParam(Object.keys(params).at(-1) ?? '');
  const [param, name = ''] = given;
  if (!known.includes(name))
    throw invalidParam(param, `"${name}" is not a ${what} of this site. It has ${known.join(', ')}.`);
  return name;
}

/** Notices about content types that became public: those that the site declares, and those that the host adds to the lists. */
export function createVisibilityHandlers({
  ports,
  config,
}: SeoDeps): HandlerGroup<'seo.visibility.dismissPostType' | 'seo.visibility.dismissTaxonomy'> {
  /** Removes a name from its list. The notice disappears when both lists are empty. */
  async function dismiss(
    list: TypeList,
    name: string,
  ): Promise<{ message: string; success: true; status: 200 }> {
    let listed = false;
    await changeSeoOption(ports.store, 'visibility', (value) => {
      const lists = toMembers(value);
      const names = toTextList(lists[list]);
      listed = listNewTypes(lists, { config, content: ports.content })[list].includes(name);
      const kept = { ...lists, [list]: names.filter((each) => each !== name) };
      return listed ? { ...kept, [DISMISSED[list]]: [...toTextList(lists[DISMISSED[list]]), name] } : kept;
    });
    return {
      message: listed ? `The notice about "${name}" was dismissed.` : `"${name}" is not new.`,
      success: true,
      status: 200,
    };
  }

  return {
    'seo.visibility.dismissPostType': ({ post_type_name, postTypeName }) => {
      const name = readName({ post_type_name, postTypeName }, { what: 'post type', known: config.postTypes });
      return dismiss('post_types', name);
    },
    'seo.visibility.dismissTaxonomy': ({ taxonomy_name, taxonomyName }) => {
      const name = readName({ taxonomy_name, taxonomyName }, { what: 'taxonomy', known: config.taxonomies });
      return dismiss('taxonomies', name);
    },
  };
}
