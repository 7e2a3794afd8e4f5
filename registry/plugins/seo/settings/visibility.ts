import { defineNamespace, type Namespace, renamePath } from '../../../../lib/index.ts';
import {
  createContentModel,
  hasPages,
  own,
  readOptions,
  renameParam,
  invalidParam,
} from '../../../plugin.ts';
import { describeConnection, SERVICES } from '../connected/service.ts';
import { seoSettingsDescriptor } from '../routes/connected-routes.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { missingParam } from '../values/errors.ts';
import { changeSeoOption, toUserGroup } from '../values/options.ts';
import { toMembers, toText, toTextList } from '../values/scalars.ts';

type ListName = 'post_types' | 'taxonomies';

/** Types that may be new. `known`: those whose notice can be dismissed; `declared`: those that notices are about, unless they are `builtIn`. */
interface TypeList {
  readonly what: string;
  readonly known: readonly string[];
  readonly declared: readonly string[];
  readonly builtIn: ReadonlyMap<string, unknown>;
}

/** Where the names of dismissed types are stored. */
const dismissedOf = (name: ListName) => `dismissed_${name}` as const;

const built = createContentModel();

const toLists = ({ ports: { content }, config }: SeoDeps): Readonly<Record<ListName, TypeList>> => ({
  post_types: {
    what: 'post type',
    known: config.postTypes,
    declared: config.postTypes,
    builtIn: built.types,
  },
  taxonomies: {
    what: 'taxonomy',
    known: config.taxonomies,
    declared: [...content.taxonomies.values()].filter(hasPages).map(({ name }) => name),
    builtIn: built.taxonomies,
  },
});

/** Types that the site has declared, or that the host has added to the stored list, and whose notice nobody has dismissed. */
function listNew(
  stored: ReturnType<typeof toMembers>,
  name: ListName,
  { declared, builtIn }: TypeList,
): readonly string[] {
  const gone = toTextList(stored[dismissedOf(name)]);
  const fresh = declared.filter((each) => !builtIn.has(each) && !gone.includes(each));
  return [...new Set([...toTextList(stored[name]), ...fresh])];
}

/** Notices about content types that became public: those that the site declares, and those that the host adds to the lists. */
export function createVisibilityHandlers(parts: SeoDeps): HandlerGroup<'seo.visibility'> {
  const lists = toLists(parts);

  /**
   * Removes a name from its list. The notice disappears when both lists are empty. `params`: clients send either of the two.
   * @throws RestError `rest_missing_callback_param`, `rest_invalid_param`
   */
  async function dismiss(list: ListName, params: Readonly<Record<string, string | undefined>>) {
    const { what, known } = lists[list];
    const dismissed = dismissedOf(list);
    const given = Object.entries(params).find(([, value]) => value !== undefined);
    if (given === undefined) throw missingParam(Object.keys(params).at(-1) ?? '');
    const [param, name = ''] = given;
    if (!known.includes(name))
      throw invalidParam(param, `"${name}" is not a ${what} of this site. It has ${known.join(', ')}.`);
    let isNew = false;
    await changeSeoOption(parts.ports.store, 'visibility', (value) => {
      const stored = toMembers(value);
      isNew = listNew(stored, list, lists[list]).includes(name);
      const kept = { ...stored, [list]: toTextList(stored[list]).filter((each) => each !== name) };
      return isNew ? { ...kept, [dismissed]: [...toTextList(stored[dismissed]), name] } : kept;
    });
    const message = isNew ? `The notice about "${name}" was dismissed.` : `"${name}" is not new.`;
    return { message, success: true, status: 200 } as const;
  }

  return {
    'seo.visibility.dismissPostType': ({ post_type_name, postTypeName }) =>
      dismiss('post_types', { post_type_name, postTypeName }),
    'seo.visibility.dismissTaxonomy': ({ taxonomy_name, taxonomyName }) =>
      dismiss('taxonomies', { taxonomy_name, taxonomyName }),
  };
}

/** Shows what the routes of settings have stored. */
export function createShowSettings(parts: SeoDeps): Namespace {
  const { ports, config } = parts;
  const { store } = ports;
  const lists = toLists(parts);
  return defineNamespace(seoSettingsDescriptor, {
    'seo.settings.site': async (_args, { site }) => {
      const { representation, profiles, tracking, configuration, integrations, country, visibility } =
        await readOptions(store, 'seo');
      const { steps, first_time: firstTime } = toMembers(configuration);
      const active = toMembers(integrations);
      const stored = toMembers(visibility);
      return {
        site_representation: toMembers(representation),
        social_profiles: Object.fromEntries(
          Object.entries(toMembers(profiles)).map(([name, value]) => [renameParam(site.names, name), value]),
        ),
        tracking: toMembers(tracking)['tracking'] === true,
        finished_steps: toTextList(steps),
        first_time_configuration: firstTime !== false,
        integrations: Object.fromEntries(
          config.integrations.map((id) => [renamePath(site.names, id), own(active, id) !== false]),
        ),
        connections: Object.fromEntries(
          await Promise.all(
            SERVICES.map(
              async (service) =>
                [renamePath(site.names, service), await describeConnection(ports, service)] as const,
            ),
          ),
        ),
        country_code: toText(country) || 'us',
        new_post_types: listNew(stored, 'post_types', lists.post_types),
        new_taxonomies: listNew(stored, 'taxonomies', lists.taxonomies),
      };
    },
    'seo.settings.personal': async (_args, { identity }) => {
      const {
        seo_introductions: introductions,
        seo_alerts: alerts,
        seo_videohost: videohost,
      } = await readOptions(store, toUserGroup(identity));
      const seen = toMembers(introductions);
      const dismissed = new Set(toTextList(alerts));
      const toSeen = (id: string) => {
        const { is_seen: isSeen, seen_on: seenOn } = toMembers(own(seen, id));
        return { is_seen: isSeen === true, seen_on: toText(seenOn) };
      };
      return {
        introductions: Object.fromEntries(config.introductions.map((id) => [id, toSeen(id)])),
        alerts: Object.fromEntries(config.alerts.map((key) => [key, { dismissed: dismissed.has(key) }])),
        videohost_embed_permission: videohost === true,
      };
    },
  });
}
