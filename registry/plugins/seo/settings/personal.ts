import { userOf } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { seoError, invalidParam } from '../values/errors.ts';
import { toMembers, toTextList } from '../values/json.ts';
import { changeUserOption, readUserOption } from '../values/options.ts';
import { toIso } from '../values/times.ts';

type Ids = 'seo.introductions.seen' | 'seo.alerts.dismiss' | 'seo.videohost.read' | 'seo.videohost.write';

/** Settings of each user: introductions seen, alerts dismissed, permission to embed videos. */
export function createPersonalHandlers({ ports, config }: SeoDeps): HandlerGroup<Ids> {
  const { store, now } = ports;
  return {
    'seo.introductions.seen': async ({ introduction_id, is_seen }, { identity }) => {
      if (!config.introductions.includes(introduction_id)) throw seoError('introduction_not_found');
      const seen = { is_seen, seen_on: is_seen ? toIso(now()) : '' };
      await changeUserOption(store, [userOf(identity), 'seo_introductions'], (value) => ({
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
      await changeUserOption(store, [userOf(identity), 'seo_alerts'], (value) => [
        ...new Set([...toTextList(value), key]),
      ]);
      return { success: true, status: 200 };
    },
    'seo.videohost.read': async (_args, { identity }) => ({
      json: { value: (await readUserOption(store, userOf(identity), 'seo_videohost')) === true },
    }),
    'seo.videohost.write': async ({ value }, { identity }) => {
      await changeUserOption(store, [userOf(identity), 'seo_videohost'], () => value);
      return { json: { success: true } };
    },
  };
}
