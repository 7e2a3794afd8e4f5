import { FLAG } from '../../lib/core/check-options.ts';
import type { SiteConfig } from '../ports.ts';
import { readSettings, type SettingRules } from '../read-settings.ts';

/** `config.cms`. Every member is optional. */
export interface CmsSettings {
  /** Whether callers without a login may write comments. Default false, as in WordPress. */
  readonly visitorComments: boolean;
}

export const CMS_SETTINGS: SettingRules<CmsSettings> = { visitorComments: FLAG };

/** @throws TypeError with the place of a faulty setting */
export function readCmsSettings(config: Pick<SiteConfig, 'namespaces'>): CmsSettings {
  return { visitorComments: false, ...readSettings<CmsSettings>(config, 'cms', CMS_SETTINGS) };
}
