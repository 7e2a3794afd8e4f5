import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TEXTS } from '../../lib/core/check-document.ts';
import { FUNCTION, TEXT } from '../../lib/core/check-options.ts';
import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import type { SiteConfig } from '../ports.ts';
import { readSettings, type SettingRules } from '../read-settings.ts';
import { isPublicKey } from './ed25519.ts';

/** `config.secscan`: what only the host can say. Everything may be left out. */
export interface SecscanHost {
  /** Ed25519 key of the controller that `authenticate-premium` trusts, 64 hexadecimal digits; null: none. */
  readonly controllerPublicKey: string | null;
  /** Address of the site's own administration; null: the home page is named. */
  readonly adminUrl: string | null;
  /** For whom tokens are made (claim `aud`). Default `secscan-dashboard`. */
  readonly audience: string;
  /** Absolute path of the data directory; '' when there is none. */
  readonly dataDirectory: string;
  /** Directories that some server gives out to everybody. */
  readonly servedDirectories: readonly string[];
  /** Free room for data, in megabytes; null: unknown. Default: asks the file system of `dataDirectory`. */
  readonly freeMegabytes: () => Promise<number | null>;
  /** Ids of users whose password is easy to guess. The passwords stay with the host. Default: none. */
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

/** Reads the host's configuration. @throws TypeError naming the setting that does not fit */
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
