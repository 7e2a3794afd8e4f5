import { type Json, StoreError, eq } from '../../../../lib/index.ts';
import { type Ports, Validators, changeOption, coerce, isObject, readOption } from '../../../plugin.ts';
import {
  DEFAULT_SETTINGS,
  isSettingName,
  secscanError,
  SETTINGS,
  type Settings,
} from '../settings/settings.ts';
import { ISSUER } from './tokens.ts';

const NAME = ['secscan', 'settings'] as const;
const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;

/** The settings of the site, with defaults for missing ones. */
export async function readSettings({ store }: Pick<Ports, 'store'>): Promise<Settings> {
  const stored = await readOption(store, ...NAME);
  return isObject(stored) ? ({ ...DEFAULT_SETTINGS, ...stored } as Settings) : DEFAULT_SETTINGS;
}

/** The members with these names, or with a prefix (`rules.*`). Unknown names are ignored. */
export function selectSettings(settings: Settings, fields: readonly string[]): Partial<Settings> {
  const isWanted = (name: string): boolean =>
    fields.some((field) => (field.endsWith('*') ? name.startsWith(field.slice(0, -1)) : name === field));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isWanted(name)));
}

/** Validates and stores settings, all or none. */
interface SettingsWriter {
  /** @throws RestError `rest_set_config_error` with the fault of each setting in `data.params`; `rest_save_config_error` */
  write(fields: Readonly<Record<string, unknown>>): Promise<void>;
}

interface Judged {
  readonly name: string;
  readonly value: unknown;
  readonly fault: string | null;
}

export function createSettingsWriter(ports: Ports): SettingsWriter {
  const validators = new Validators();

  const judge = ([name, value]: readonly [string, unknown]): Judged => {
    if (!isSettingName(name))
      return {
        name,
        value,
        fault: `${name} is not a setting. The settings are ${Object.keys(SETTINGS).join(', ')}.`,
      };
    const coerced = coerce(SETTINGS[name], value);
    return {
      name,
      value: coerced,
      fault: validators.compile(SETTINGS[name])(name, coerced)?.message ?? null,
    };
  };

  return {
    async write(fields) {
      const judged = Object.entries(fields).map(judge);
      const wrong = judged.filter(({ fault }) => fault !== null);
      if (wrong.length > 0) {
        const params = Object.fromEntries(wrong.map(({ name, fault }) => [name, fault]));
        throw secscanError('rest_set_config_error', {
          message: wrong.map(({ fault }) => fault).join(' '),
          data: { params },
        });
      }
      const values = Object.fromEntries(judged.map(({ name, value }) => [name, value])) as Readonly<
        Record<string, Json>
      >;
      await saveSettings(ports, values);
    },
  };
}

async function saveSettings({ store }: Ports, values: Readonly<Record<string, Json>>): Promise<void> {
  try {
    await changeOption(store, NAME, (stored) => ({
      ...(isObject(stored) ? (stored as Readonly<Record<string, Json>>) : {}),
      ...values,
    }));
  } catch (error) {
    if (error instanceof StoreError) throw secscanError('rest_save_config_error', { cause: error });
    throw error;
  }
}

/** Facts about the installation for the dashboard, without network addresses or environment variables. */
export async function describeInstallation({ store, config }: Ports, siteUrl: string): Promise<Json> {
  const counts = await Promise.all(
    STATUSES.map(async (status) => {
      const { total } = await store.find({
        collection: 'posts',
        where: eq('status', status),
        limit: 0,
        total: true,
      });
      return [status, total] as const;
    }),
  );
  return {
    version: ISSUER,
    node: process.versions.node,
    platform: process.platform,
    site_url: siteUrl,
    languages: [...config.languages],
    posts: Object.fromEntries(counts),
  };
}
