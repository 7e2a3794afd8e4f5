import { type Namespace, defineNamespace, renamePath } from '../../../../lib/index.ts';
import { own, renameParam, userOf } from '../../../plugin.ts';
import { describeConnection, SERVICES } from '../connected/tokens.ts';
import type { SeoDeps } from '../routes/deps.ts';
import { seoSettingsDescriptor } from '../routes/settings-routes.ts';
import { toMembers, toTextList } from '../values/json.ts';
import { readSeoOption, readUserOption } from '../values/options.ts';
import { listNewTypes } from './new-types.ts';

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
