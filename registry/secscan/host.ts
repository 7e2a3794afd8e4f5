import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TEXTS } from '../../lib/core/check-document.ts';
import { FUNCTION, TEXT } from '../../lib/core/check-options.ts';
import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import type { SiteConfig } from '../ports.ts';
import { readSettings, type SettingRules } from '../read-settings.ts';
import { isPublicKey } from './ed25519.ts';

/** `config.secscan`: what only the host knows. Every member is optional. */
export interface SecscanHost {
  /** Ed25519 key of the controller that `authenticate-premium` trusts, 64 hexadecimal digits; null if there is none. */
  readonly controllerPublicKey: string | null;
  /** Address of the site's administration; null for the home page. */
  readonly adminUrl: string | null;
  /** Audience of tokens (claim `aud`). Default `secscan-dashboard`. */
  readonly audience: string;
  /** Absolute path of the data directory; '' if there is none. */
  readonly dataDirectory: string;
  /** Directories that a server makes public. */
  readonly servedDirectories: readonly string[];
  /** Free disk space for data in megabytes; null if unknown. Default: that of the file system of `dataDirectory`. */
  readonly freeMegabytes: () => Promise<number | null>;
  /** Ids of users with weak passwords. The host does not pass the passwords. Default: none. */
  readonly weakPasswordUsers: () => Promise<readonly number[]>;
}

interface SecscanSettings {
  readonly controllerPublicKey: string;
  readonly adminUrl: string;
  readonly audience: string;
  readonly dataDirectory: string;
  readonly servedDirectories: readonly string[];
  readonly freeMegabytes: () => MaybePromise<number | null>;
  readonly weakPasswordUsers: () => MaybePromise<readonly number[]>;
}

export const SECSCAN_SETTINGS: SettingRules<SecscanSettings> = {
  controllerPublicKey: { wanted: 'a key of 64 hexadecimal digits', fits: (value) => typeof value === 'string' && isPublicKey(value) },
  adminUrl: TEXT, audience: TEXT, dataDirectory: TEXT, servedDirectories: TEXTS, freeMegabytes: FUNCTION, weakPasswordUsers: FUNCTION,
};

async function readFreeMegabytes(directory: string): Promise<number | null> {
  if (directory === '') return null;
  const { bavail, bsize } = await statfs(directory);
  return Math.floor(bavail * bsize / 1_000_000);
}

/** Reads the configuration of the host. @throws TypeError naming the setting that is not valid */
export function readSecscanHost(config: Pick<SiteConfig, 'namespaces'>): SecscanHost {
  const given = readSettings<SecscanSettings>(config, 'secscan', SECSCAN_SETTINGS);
  const dataDirectory = given.dataDirectory === undefined ? '' : resolve(given.dataDirectory);
  const { controllerPublicKey = null, adminUrl = null, audience = 'secscan-dashboard', servedDirectories = [] } = given;
  const { freeMegabytes = () => readFreeMegabytes(dataDirectory), weakPasswordUsers = () => [] } = given;
  return {
    controllerPublicKey, adminUrl, audience, dataDirectory, servedDirectories: servedDirectories.map((each) => resolve(each)),
    freeMegabytes: async () => await freeMegabytes(), weakPasswordUsers: async () => await weakPasswordUsers(),
  };
}
