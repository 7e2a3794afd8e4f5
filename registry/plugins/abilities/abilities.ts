import { type Action, type SiteView, effectOf, idempotenceOf, listActions } from '../../../lib/index.ts';
import { perObject } from '../../plugin.ts';

/** How an ability is run: by one method, and no other. */
type RunMethod = 'GET' | 'POST' | 'DELETE';

/** An action under the name that clients of abilities accept: `cms/posts-list` for `cms.posts.list`. */
export interface Ability {
  /** The part before the slash. */
  readonly namespace: string;
  /** The part after it. */
  readonly ability: string;
  readonly name: string;
  /** Slug of its category: `cms-v2` for the routes of `cms/v2`. */
  readonly category: string;
  readonly method: RunMethod;
  /** Its result is a page of a list, with the totals. */
  readonly isPaged: boolean;
  readonly action: Action;
}

/** Abilities with one subject: those of a namespace, or of a tag of endpoints. */
export interface Category {
  readonly slug: string;
  /** The namespace or tag. */
  readonly label: string;
}

interface Abilities {
  readonly byName: ReadonlyMap<string, Ability>;
  readonly categories: ReadonlyMap<string, Category>;
}

/** Lower-case letters and digits, in words with hyphens. */
const toWords = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function methodOf({ endpoint }: Action): RunMethod {
  const effect = effectOf(endpoint);
  if (effect === 'read') return 'GET';
  return effect === 'destroy' && idempotenceOf(endpoint) === true ? 'DELETE' : 'POST';
}

const labelOf = ({ endpoint: { tags = [] }, route }: Action): string => tags[0] ?? route.namespace;

/** `search` has no first word, so that of its namespace is taken. */
function splitName({ name, route }: Action): readonly [namespace: string, ability: string] {
  const [first = '', ...others] = name.split('.');
  return others.length > 0
    ? [toWords(first), toWords(others.join('-'))]
    : [toWords(route.namespace.split('/')[0] ?? ''), toWords(first)];
}

function createAbilities(actions: readonly Action[]): Abilities {
  const byName = new Map<string, Ability>();
  const categories = new Map<string, Category>();
  for (const action of actions) {
    const [namespace, plain] = splitName(action);
    // Two actions whose names differ only in marks are told apart by a number.
    let ability = plain;
    for (let at = 2; byName.has(`${namespace}/${ability}`); at += 1) ability = `${plain}-${at}`;
    const label = labelOf(action);
    const slug = toWords(label);
    if (!categories.has(slug)) categories.set(slug, { slug, label });
    const name = `${namespace}/${ability}`;
    const isPaged = action.endpoint.shows?.includes('page') === true;
    byName.set(name, {
      namespace,
      ability,
      name,
      category: slug,
      method: methodOf(action),
      isPaged,
      action,
    });
  }
  return { byName, categories };
}

const perActions = perObject(createAbilities);

/** Every action of the site as an ability, in the order of the index. Made once for each table of routes. */
export const abilitiesOf = (site: Pick<SiteView, 'routes' | 'names'>): Abilities =>
  perActions(listActions(site));
