import type { Json, Store } from '../../../../lib/index.ts';
import { changeOption, readOption } from '../../../plugin.ts';

/** Options of the namespace, under the group `seo`. */
type SeoOption =
  | 'representation'
  | 'profiles'
  | 'tracking'
  | 'configuration'
  | 'integrations'
  | 'country'
  | 'visibility'
  | 'workouts'
  | 'indexing';

/** Options of one user, under the group `user:3`. */
type UserOption = 'seo_introductions' | 'seo_videohost' | 'seo_alerts';

export function readSeoOption(store: Store, option: SeoOption): Promise<Json | undefined> {
  return readOption(store, 'seo', option);
}

export function changeSeoOption(
  store: Store,
  option: SeoOption,
  change: (value: Json | undefined) => Json,
): Promise<Json> {
  return changeOption(store, ['seo', option], change);
}

export function readUserOption(store: Store, user: number, option: UserOption): Promise<Json | undefined> {
  return readOption(store, `user:${user}`, option);
}

export function changeUserOption(
  store: Store,
  [user, option]: readonly [number, UserOption],
  change: (value: Json | undefined) => Json,
): Promise<Json> {
  return changeOption(store, [`user:${user}`, option], change);
}
