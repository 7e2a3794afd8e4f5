import { type Ports, createContentModel, hasPages, own } from '../../../plugin.ts';
import type { SeoConfig } from '../values/config.ts';
import { toTextList } from '../values/json.ts';

export type TypeList = 'post_types' | 'taxonomies';

/** What is stored about new types: names that the host has added to the lists, and names whose notice was dismissed. */
type Visibility = Readonly<Record<string, unknown>>;

/** Where the names of dismissed types are stored. */
export const DISMISSED = {
  post_types: 'dismissed_post_types',
  taxonomies: 'dismissed_taxonomies',
} as const satisfies Readonly<Record<TypeList, string>>;

const built = createContentModel();
const BUILT_IN: Readonly<Record<TypeList, ReadonlySet<string>>> = {
  post_types: new Set(built.types.keys()),
  taxonomies: new Set(built.taxonomies.keys()),
};

interface Registered {
  readonly config: Pick<SeoConfig, 'postTypes'>;
  readonly content: Ports['content'];
}

function namesOf(list: TypeList, { config, content }: Registered): readonly string[] {
  return list === 'post_types'
    ? config.postTypes
    : [...content.taxonomies.values()].filter(hasPages).map(({ name }) => name);
}

function listNew(list: TypeList, stored: Visibility, registered: Registered): readonly string[] {
  const dismissed = new Set(toTextList(own(stored, DISMISSED[list])));
  const declared = namesOf(list, registered).filter(
    (name) => !BUILT_IN[list].has(name) && !dismissed.has(name),
  );
  return [...new Set([...toTextList(own(stored, list)), ...declared])];
}

/** Types that the site has declared, or that the host has added, and whose notice nobody has dismissed. */
export const listNewTypes = (
  stored: Visibility,
  registered: Registered,
): Readonly<Record<TypeList, readonly string[]>> => ({
  post_types: listNew('post_types', stored, registered),
  taxonomies: listNew('taxonomies', stored, registered),
});
