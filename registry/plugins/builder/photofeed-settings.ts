import { type SettingRules, withFunctions } from '../../plugin.ts';
import type { PhotoProvider } from './photo-provider.ts';

/** Half an hour, a day and a week. */
export const MINUTES = { least: 30, usual: 1440, most: 10_080 } as const;

/** `config.photofeed`. */
export interface PhotofeedSettings {
  readonly provider: 'site' | 'upstream' | PhotoProvider;
  readonly cacheMinutes: number;
}

const OWN_PROVIDER = withFunctions('list', 'children');

/** The rules of the settings. */
export const PHOTOFEED_SETTINGS: SettingRules<PhotofeedSettings> = {
  provider: {
    ...OWN_PROVIDER,
    wanted: '"site", "upstream" or an object with list and children',
    fits: (value) => value === 'site' || value === 'upstream' || OWN_PROVIDER.fits(value),
  },
  cacheMinutes: {
    wanted: `a whole number from ${MINUTES.least} to ${MINUTES.most}`,
    fits: (value) =>
      Number.isInteger(value) && Number(value) >= MINUTES.least && Number(value) <= MINUTES.most,
  },
};
