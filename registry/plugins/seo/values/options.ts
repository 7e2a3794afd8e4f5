import type { Identity, Json, Store } from '../../../../lib/index.ts';
import { changeOption, readOption, userOf } from '../../../plugin.ts';

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

/** The group of the options of a user. */
export const toUserGroup = (identity: Identity): string => `user:${userOf(identity)}`;
