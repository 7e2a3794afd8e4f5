import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { own } from '../../lib/own.ts';
import type { SiteConfig } from '../ports.ts';
import { isPublicKey } from './ed25519.ts';

/** `config.namespaces.secscan`: what only the host can say. Everything may be left out. */
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

type Given = Readonly<Record<string, unknown>>;

function readText(given: Given, name: string): string | null {
  const value = own(given, name);
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '') throw new TypeError(`config.namespaces.secscan.${name}: wanted a text`);
  return value;
}

function readTexts(given: Given, name: string): readonly string[] {
  const value = own(given, name) ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw new TypeError(`config.namespaces.secscan.${name}: wanted a list of texts`);
  return value;
}

function readFunction<T>(given: Given, name: string, otherwise: () => Promise<T>): () => Promise<T> {
  const value = own(given, name);
  if (value === undefined) return otherwise;
  if (typeof value !== 'function') throw new TypeError(`config.namespaces.secscan.${name}: wanted a function`);
  return async () => await Reflect.apply(value, undefined, []) as T;
}

async function readFreeMegabytes(directory: string): Promise<number | null> {
  if (directory === '') return null;
  const { bavail, bsize } = await statfs(directory);
  return Math.floor(bavail * bsize / 1_000_000);
}

/** Reads the host's configuration. @throws TypeError naming the member that is wrong. */
export function readSecscanHost(config: SiteConfig): SecscanHost {
  const given: Given = config.namespaces['secscan'] ?? {};
  const key = readText(given, 'controllerPublicKey');
  if (key !== null && !isPublicKey(key)) throw new TypeError('config.namespaces.secscan.controllerPublicKey: wanted 64 hexadecimal digits');
  const directory = readText(given, 'dataDirectory');
  const dataDirectory = directory === null ? '' : resolve(directory);
  return {
    controllerPublicKey: key, adminUrl: readText(given, 'adminUrl'), audience: readText(given, 'audience') ?? 'secscan-dashboard', dataDirectory,
    servedDirectories: readTexts(given, 'servedDirectories').map((each) => resolve(each)),
    freeMegabytes: readFunction(given, 'freeMegabytes', () => readFreeMegabytes(dataDirectory)),
    weakPasswordUsers: readFunction(given, 'weakPasswordUsers', async () => []),
  };
}
