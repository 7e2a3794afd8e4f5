import { type ArgSchema, eq, type Json, StoreError } from '../../../../lib/index.ts';
import {
  type Ports,
  Validators,
  changeOption,
  coerce,
  isObject,
  own,
  readOption,
  countRecords,
} from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import { DEFAULT_SETTINGS, SETTINGS, type Settings } from '../settings/settings.ts';
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

const validators = new Validators();

function toFault(name: string): string {
  return `${name} is not a setting. The settings are ${Object.keys(SETTINGS).join(', ')}.`;
}

/**
 * Validates and stores settings, all or none.
 * @throws RestError `rest_set_config_error` with the fault of each setting in `data.params`; `rest_save_config_error`
 */
export async function writeSettings(
  { store }: Pick<Ports, 'store'>,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const values = new Map<string, Json>();
  const faults = new Map<string, string>();
  for (const [name, given] of Object.entries(fields)) {
    const schema = own<ArgSchema>(SETTINGS, name);
    const value = schema === undefined ? undefined : coerce(schema, given);
    const fault = schema === undefined ? toFault(name) : validators.compile(schema)(name, value)?.message;
    if (fault === undefined) values.set(name, value as Json);
    else faults.set(name, fault);
  }
  if (faults.size > 0)
    throw secscanError('rest_set_config_error', {
      message: [...faults.values()].join(' '),
      data: { params: Object.fromEntries(faults) },
    });
  try {
    await changeOption(store, NAME, (stored) => ({
      ...(isObject(stored) ? (stored as Readonly<Record<string, Json>>) : {}),
      ...Object.fromEntries(values),
    }));
  } catch (error) {
    if (error instanceof StoreError) throw secscanError('rest_save_config_error', { cause: error });
    throw error;
  }
}

/** Facts about the installation for the dashboard, without network addresses or environment variables. */
export async function describeInstallation({ store, config }: Ports, siteUrl: string): Promise<Json> {
  const counts = await Promise.all(
    STATUSES.map(
      async (status) =>
        [status, await countRecords(store, { collection: 'posts', where: eq('status', status) })] as const,
    ),
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
