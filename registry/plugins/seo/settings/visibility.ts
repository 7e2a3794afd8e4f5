import { defineNamespace, type Namespace, renamePath } from '../../../../lib/index.ts';
import {
  createContentModel,
  hasPages,
  invalidParam,
  own,
  type Ports,
  renameParam,
  userOf,
} from '../../../plugin.ts';
import { describeConnection, SERVICES } from '../connected/service.ts';
import { seoSettingsDescriptor } from '../routes/connected-routes.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import type { SeoConfig } from '../values/config.ts';
import { changeSeoOption, missingParam, readSeoOption, readUserOption } from '../values/options.ts';
import { toMembers, toTextList } from '../values/scalars.ts';

type TypeList = 'post_types' | 'taxonomies';

/** What is stored about new types: names that the host has added to the lists, and names whose notice was dismissed. */
type Visibility = Readonly<Record<string, unknown>>;

/** Where the names of dismissed types are stored. */
const DISMISSED = {
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
const listNewTypes = (
  stored: Visibility,
  registered: Registered,
): Readonly<Record<TypeList, readonly string[]>> => ({
  post_types: listNew('post_types', stored, registered),
  taxonomies: listNew('taxonomies', stored, registered),
});

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
export function createVisibilityHandlers({ ports, config }: SeoDeps): HandlerGroup<'seo.visibility'> {
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

/** Shows what the routes of settings have stored. */
export function createShowSettings({ ports, config }: SeoDeps): Namespace {
  const { store } = ports;
  return defineNamespace(seoSettingsDescriptor, {
    'seo.settings.site': async (_args, { site }) => {
      const [representation, profiles, tracking, configuration, integrations, country, visibility] =
        await Promise.all(
          (
            [
              'representation',
              'profiles',
              'tracking',
              'configuration',
              'integrations',
              'country',
              'visibility',
            ] as const
          ).map((option) => readSeoOption(store, option)),
        );
      const { steps, first_time: firstTime } = toMembers(configuration);
      const active = toMembers(integrations);
      const fresh = listNewTypes(toMembers(visibility), { config, content: ports.content });
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
        country_code: typeof country === 'string' ? country : 'us',
        new_post_types: fresh.post_types,
        new_taxonomies: fresh.taxonomies,
      };
    },
    'seo.settings.personal': async (_args, { identity }) => {
      const [introductions, alerts, videohost] = await Promise.all(
        (['seo_introductions', 'seo_alerts', 'seo_videohost'] as const).map((option) =>
          readUserOption(store, userOf(identity), option),
        ),
      );
      const seen = toMembers(introductions);
      const dismissed = new Set(toTextList(alerts));
      const toSeen = (id: string) => {
        const { is_seen: isSeen, seen_on: seenOn } = toMembers(own(seen, id));
        return { is_seen: isSeen === true, seen_on: typeof seenOn === 'string' ? seenOn : '' };
      };
      return {
        introductions: Object.fromEntries(config.introductions.map((id) => [id, toSeen(id)])),
        alerts: Object.fromEntries(config.alerts.map((key) => [key, { dismissed: dismissed.has(key) }])),
        videohost_embed_permission: videohost === true,
      };
    },
  });
}
