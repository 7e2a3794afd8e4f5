import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  FUNCTION,
  type MaybePromise,
  type SettingRules,
  type SiteConfig,
  TEXT,
  TEXTS,
  isObject,
  kindOf,
  readSettings,
} from '../../../plugin.ts';
import type { VulnerablePackage } from '../rules/rule.ts';
import { isPublicKey } from './connection.ts';

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
  /** Ids of users with weak passwords. The host does not pass the passwords. null: the scan tries common passwords itself. */
  readonly weakPasswordUsers: (() => Promise<readonly number[]>) | null;
  /** Hosts that a feed of bad addresses names. They are blocked in addition to those of the settings. Default: none. */
  readonly blockedHosts: () => Promise<readonly string[]>;
  /** Packages with known vulnerabilities, for example those of `npm audit --json`. Default: none. */
  readonly vulnerablePackages: () => Promise<readonly VulnerablePackage[]>;
}

type Given<T> = T extends () => Promise<infer R> ? () => MaybePromise<R> : T;
type SecscanSettings = { readonly [K in keyof SecscanHost]: Given<NonNullable<SecscanHost[K]>> };

export const SECSCAN_SETTINGS: SettingRules<SecscanSettings> = {
  controllerPublicKey: {
    wanted: 'a key of 64 hexadecimal digits',
    fits: (value) => typeof value === 'string' && isPublicKey(value),
  },
  adminUrl: TEXT,
  audience: TEXT,
  dataDirectory: TEXT,
  servedDirectories: TEXTS,
  freeMegabytes: FUNCTION,
  weakPasswordUsers: FUNCTION,
  blockedHosts: FUNCTION,
  vulnerablePackages: FUNCTION,
};

async function readFreeMegabytes(directory: string): Promise<number | null> {
  if (directory === '') return null;
  const { bavail, bsize } = await statfs(directory);
  return Math.floor((bavail * bsize) / 1_000_000);
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** @throws TypeError if the function of the host returned anything else */
function checkTexts(name: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every(isText))
    throw new TypeError(
      `config.namespaces.secscan.${name} returned ${kindOf(value)}. It must return a list of texts.`,
    );
  return value as readonly string[];
}

/** @throws TypeError if the function of the host returned anything else */
function checkPackages(value: unknown): readonly VulnerablePackage[] {
  const fits =
    Array.isArray(value) &&
    value.every((each: unknown) => isObject(each) && isText(each['name']) && isText(each['title']));
  if (!fits)
    throw new TypeError(
      `config.namespaces.secscan.vulnerablePackages returned ${kindOf(value)}. It must return a list of objects with the texts name and title.`,
    );
  return value as readonly VulnerablePackage[];
}

/** Reads the configuration of the host. @throws TypeError naming the setting that is not valid */
export function readSecscanHost(config: Pick<SiteConfig, 'namespaces'>): SecscanHost {
  const {
    controllerPublicKey = null,
    adminUrl = null,
    audience = 'secscan-dashboard',
    dataDirectory: directory,
    servedDirectories = [],
    freeMegabytes = () => readFreeMegabytes(dataDirectory),
    weakPasswordUsers,
    blockedHosts = () => [],
    vulnerablePackages = () => [],
  } = readSettings<SecscanSettings>(config, 'secscan', SECSCAN_SETTINGS);
  const dataDirectory = directory === undefined ? '' : resolve(directory);
  return {
    controllerPublicKey,
    adminUrl,
    audience,
    dataDirectory,
    servedDirectories: servedDirectories.map((each) => resolve(each)),
    freeMegabytes: async () => await freeMegabytes(),
    weakPasswordUsers: weakPasswordUsers === undefined ? null : async () => await weakPasswordUsers(),
    blockedHosts: async () => checkTexts('blockedHosts', await blockedHosts()),
    vulnerablePackages: async () => checkPackages(await vulnerablePackages()),
  };
}
