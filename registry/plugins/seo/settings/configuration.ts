import { can, renamePath } from '../../../../lib/index.ts';
import { changeOption, readOption, writeOption, invalidParam } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { seoError } from '../values/errors.ts';
import { changeSeoOption, readSeoOption, toUserGroup } from '../values/options.ts';
import { toGmt, toMembers, toTextList, withOffset } from '../values/scalars.ts';

/** The first-time configuration ends after this number of finished steps. */
const STEPS = 3;

type Ids =
  | 'seo.configuration.capability'
  | 'seo.configuration.tracking'
  | 'seo.configuration.saveState'
  | 'seo.configuration.readState'
  | 'seo.integrations.activate'
  | 'seo.kwtool.country';

const DONE = { success: true, status: 200 } as const;

/** Settings of the site that are stored as given. Tracking is only stored: the site never sends tracking data. */
export function createConfigurationHandlers({ ports: { store }, config }: SeoDeps): HandlerGroup<Ids> {
  return {
    'seo.configuration.capability': async ({ user_id }, { identity }) => {
      const allowed =
        user_id === identity.id ||
        (can(identity, 'edit_users') && (await store.get('users', user_id)) !== null);
      return allowed ? DONE : { success: false, status: 403 };
    },
    'seo.configuration.tracking': async ({ tracking }) => {
      await changeSeoOption(store, 'tracking', () => ({ tracking, toggled: true }));
      return DONE;
    },
    'seo.configuration.saveState': async ({ finishedSteps }) => {
      await changeSeoOption(store, 'configuration', (value) => ({
        steps: [...finishedSteps],
        first_time: toMembers(value)['first_time'] !== false && finishedSteps.length < STEPS,
      }));
      return DONE;
    },
    'seo.configuration.readState': async () => ({
      ...DONE,
      data: toTextList(toMembers(await readSeoOption(store, 'configuration'))['steps']),
    }),
    'seo.integrations.activate': async ({ integration, active }, { site }) => {
      // Integrations have the same public names as the paths of their routes.
      const ids = new Map(config.integrations.map((id) => [renamePath(site.names, id), id]));
      const id = ids.get(integration);
      if (id === undefined)
        throw seoError('integration_not_found', {
          message: `There is no integration "${integration}". Integrations: ${[...ids.keys()].join(', ')}.`,
        });
      await changeSeoOption(store, 'integrations', (value) => ({ ...toMembers(value), [id]: active }));
      return { json: DONE };
    },
    'seo.kwtool.country': async ({ country_code }) => {
      await changeSeoOption(store, 'country', () => country_code);
      return DONE;
    },
  };
}

/** Settings of each user: introductions seen, alerts dismissed, permission to embed videos. */
export function createPersonalHandlers({
  ports,
  config,
}: SeoDeps): HandlerGroup<'seo.introductions' | 'seo.alerts' | 'seo.videohost'> {
  const { store, now } = ports;
  return {
    'seo.introductions.seen': async ({ introduction_id, is_seen }, { identity }) => {
      if (!config.introductions.includes(introduction_id)) throw seoError('introduction_not_found');
      const seen = { is_seen, seen_on: is_seen ? withOffset(toGmt(now())) : '' };
      await changeOption(store, [toUserGroup(identity), 'seo_introductions'], (value) => ({
        ...toMembers(value),
        [introduction_id]: seen,
      }));
      return { json: { success: true } };
    },
    'seo.alerts.dismiss': async ({ key }, { identity }) => {
      if (!config.alerts.includes(key))
        throw invalidParam(
          'key',
          `"${key}" is not an alert of this site. Alerts: ${config.alerts.join(', ')}.`,
        );
      await changeOption(store, [toUserGroup(identity), 'seo_alerts'], (value) => [
        ...new Set([...toTextList(value), key]),
      ]);
      return DONE;
    },
    'seo.videohost.read': async (_args, { identity }) => ({
      json: { value: (await readOption(store, toUserGroup(identity), 'seo_videohost')) === true },
    }),
    'seo.videohost.write': async ({ value }, { identity }) => {
      await writeOption(store, [toUserGroup(identity), 'seo_videohost'], value);
      return { json: { success: true } };
    },
  };
}
