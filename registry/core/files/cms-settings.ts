import { listOf, objectOf, wordOf } from '../../../lib/core/check-document.ts';
import { countUpTo, FLAG } from '../../../lib/core/check-options.ts';
import type { SiteConfig } from '../host/ports.ts';
import { readSettings, type SettingRules } from '../host/read-settings.ts';
import { FILE_TYPES } from './media-types.ts';

/** What may be uploaded. */
export interface UploadRules {
  /** Largest file, in bytes. Default 64 MiB. */
  readonly maxBytes: number;
  /** Most pixels of a picture, by its header. Default 64 million. */
  readonly maxPixels: number;
  /** Media types, some of `FILE_TYPES`. Default: all of them. */
  readonly types: readonly string[];
}

/** `config.cms`. Every member is optional. */
interface CmsSettings {
  /** Whether callers without a login may write comments. Default false, as in WordPress. */
  readonly visitorComments: boolean;
  readonly uploads: UploadRules;
}

const TYPES = FILE_TYPES.map(({ type }) => type);
const UPLOADS: UploadRules = { maxBytes: 64 * 1024 * 1024, maxPixels: 64_000_000, types: TYPES };

export const CMS_SETTINGS: SettingRules<CmsSettings> = {
  visitorComments: FLAG,
  uploads: objectOf({ maxBytes: countUpTo(), maxPixels: countUpTo(), types: listOf(wordOf(TYPES)) }),
};

/** @throws TypeError with the place of a faulty setting */
export function readCmsSettings(config: Pick<SiteConfig, 'namespaces'>): CmsSettings {
  const { visitorComments = false, uploads = {} } = readSettings<CmsSettings>(config, 'cms', CMS_SETTINGS);
  return { visitorComments, uploads: { ...UPLOADS, ...uploads } };
}
