import { can, renamePath } from '../../../../lib/index.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { seoError } from '../values/errors.ts';
import { toMembers, toTextList } from '../values/json.ts';
import { changeSeoOption, readSeoOption } from '../values/options.ts';

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
