import { can } from '../../../lib/core/identity.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Call, Permission } from '../../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { tooLong } from '../../../lib/schema/failure-messages.ts';
import { invalidParams } from '../../../lib/schema/invalid.ts';
import type { ArgSchema, ArgSchemas, Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, oneOf } from '../../../lib/store/query.ts';
import {
  type Operation,
  retryRaces,
  type StoredRecord,
  toCreate,
  toRemove,
  toUpdate,
} from '../../../lib/store/store.ts';
import { defineContribution, type CmsContribution } from '../host/contribution.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { exceeds } from '../records/text-bounds.ts';
import { SETTING_FIELDS, SETTING_LENGTH, toStored, type SettingField } from '../settings/setting-fields.ts';
import { unknownLanguage } from '../translations/fallback.ts';

const ENTRIES = Object.entries(SETTING_FIELDS);
const URL_ARG = {
  title: '',
  description: 'Address of the site. It is configured by the host and not changed here.',
  type: 'string',
  format: 'uri',
} as const satisfies ArgSchema;

/** All settings in the order of WordPress, with the address of the site after its tagline. */
function toSchemas(change: (schema: ArgSchema, name: string) => ArgSchema): ArgSchemas {
  return Object.fromEntries(
    ENTRIES.flatMap(([name, { schema }]) =>
      name === 'description'
        ? [
            [name, change(schema, name)],
            ['url', change(URL_ARG, 'url')],
          ]
        : [[name, change(schema, name)]],
    ),
  );
}

/** The defaults that WordPress documents. It has others as well, which it does not document: null. */
const DOCUMENTED: Readonly<Record<string, Json>> = {
  language: 'en_US',
  use_smilies: true,
  posts_per_page: 10,
};

const toShown = ({ format: _ofTexts, ...schema }: ArgSchema): ArgSchema =>
  schema.enum === undefined ? { ...schema, type: [schema.type as 'string', 'null'] } : schema;

const settingsDescriptor = {
  namespace: 'cms/v2',
  routes: [
    {
      pattern: '/cms/v2/settings',
      resource: 'settings',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'cms.settings.read',
          permission: 'cms.settings',
          shows: ['record'],
          args: {},
          summary: 'Read the settings',
          description: 'Returns all settings of the site for callers who may manage them.',
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'cms.settings.update',
          permission: 'cms.settings',
          shows: ['record'],
          args: toSchemas((schema) => schema),
          summary: 'Change the settings',
          description:
            'Changes the settings that the request names, all of them or none, and returns all settings.',
        },
      ],
    },
  ],
  // A setting without a value is null, such as the logo, or an empty text, such as the e-mail address.
  resources: {
    settings: {
      title: 'settings',
      properties: toSchemas((schema, name) => ({ ...schema, default: own(DOCUMENTED, name) ?? null })),
      answers: toSchemas(toShown),
    },
  },
} as const satisfies NamespaceDescriptor;

type Options = ReadonlyMap<string, StoredRecord>;

async function findOptions({ store }: CmsDeps): Promise<Options> {
  const { records } = await store.find({
    collection: 'options',
    where: and(
      eq('group', 'site'),
      oneOf(
        'key',
        ENTRIES.map(([, { option }]) => option),
      ),
    ),
  });
  return new Map(records.map((record) => [String(record['key']), record]));
}

async function showSettings(context: CmsDeps, call: Call): Promise<Record<string, Json>> {
  const options = await findOptions(context);
  const settings = await context.settings();
  // As a client could have sent it.
  const valueOf = (field: SettingField): Json => {
    const stored = options.get(field.option)?.['value'] ?? null;
    const value =
      (stored === null || field.perLanguage === undefined
        ? stored
        : own<Json>(settings[field.perLanguage], call.language)) ?? null;
    return toStored(field, value ?? field.default) ?? value;
  };
  return Object.fromEntries(
    ENTRIES.filter(([, field]) => field.isHidden !== true || options.has(field.option)).flatMap(
      ([name, field]): readonly (readonly [string, Json])[] =>
        name === 'description'
          ? [
              [name, valueOf(field)],
              ['url', call.site.home()],
            ]
          : [[name, valueOf(field)]],
    ),
  );
}

/** A value that a write sets in a language of the site. */
interface NewValue {
  readonly value: Json;
  readonly language: string;
  readonly languages: readonly string[];
}

/** The values of an option by language. One value for all of them is that of each. */
function toMembers(stored: Json, languages: readonly string[]): Readonly<Record<string, Json>> {
  if (isObject(stored)) return stored as Readonly<Record<string, Json>>;
  return stored === null || stored === '' || stored === 0
    ? {}
    : Object.fromEntries(languages.map((language) => [language, stored]));
}

/** The option with a new value. A setting with one value for each language keeps those of the others; null removes the value of this one. */
function toOption(
  { perLanguage, isShared }: SettingField,
  stored: Json,
  { value, language, languages }: NewValue,
): Json {
  if (perLanguage === undefined || (!isObject(stored) && (value === null || isShared === true))) return value;
  const others = Object.fromEntries(
    Object.entries(toMembers(stored, languages)).filter(([each]) => each !== language),
  );
  if (value !== null) return { ...others, [language]: value };
  return Object.keys(others).length === 0 ? null : others;
}

function toOperation(record: StoredRecord | undefined, key: string, value: Json): readonly Operation[] {
  if (record === undefined) return value === null ? [] : [toCreate('options', { group: 'site', key, value })];
  return [value === null ? toRemove('options', record) : toUpdate('options', record, { value })];
}

/** Whether the setting can have the value. A category must exist; WordPress stores any number. */
async function isPossible({ store }: CmsDeps, name: string, value: Json): Promise<boolean> {
  if (name !== 'default_category') return true;
  return (await store.get('terms', Math.max(0, Number(value))))?.['taxonomy'] === 'category';
}

/** Whether the body names the setting with null, which resets it. For the engine, such a parameter is not sent. */
function isNull({ request: { body } }: Call, name: string): boolean {
  return body.kind === 'json' && isObject(body.value) && own(body.value, name) === null;
}

/** The setting whose languages must be those of the site. */
const FALLBACKS = 'ml_fallbacks';

async function updateSettings(context: CmsDeps, call: Call): Promise<Record<string, Json>> {
  const wanted = new Map<SettingField, Json>(
    ENTRIES.filter(([name]) => isNull(call, name)).map(([, field]) => [field, null]),
  );
  for (const [name, field] of ENTRIES) {
    const value = call.given.has(name) ? toStored(field, own(call.args, name) as Json) : undefined;
    if (exceeds(value, { most: SETTING_LENGTH }))
      throw invalidParams([[name, tooLong(name, SETTING_LENGTH)]]);
    if (name === FALLBACKS && isObject(value)) {
      const { languages } = context.ports.config;
      const unknown = Object.entries(value)
        .flat(2)
        .find((each) => !languages.includes(String(each)));
      if (unknown !== undefined) throw unknownLanguage(name, String(unknown), languages);
    }
    if (value !== undefined && (await isPossible(context, name, value))) wanted.set(field, value);
  }
  await retryRaces(async () => {
    const options = await findOptions(context);
    const operations = [...wanted].flatMap(([field, value]) => {
      const record = options.get(field.option);
      return toOperation(
        record,
        field.option,
        toOption(field, record?.['value'] ?? null, {
          value,
          language: call.language,
          languages: context.ports.config.languages,
        }),
      );
    });
    if (operations.length > 0) await context.store.commit(operations, call.durability);
  });
  return showSettings(context, call);
}

const permit: Permission = (_args, { identity }) => can(identity, 'manage_options');

/** The settings of the site. They take effect with the next request, because everything reads them from the store. */
export function contributeSettings(context: CmsDeps): CmsContribution {
  return defineContribution(
    settingsDescriptor,
    {
      'cms.settings.read': (_args, call) => showSettings(context, call),
      'cms.settings.update': (_args, call) => updateSettings(context, call),
    },
    { permissions: { 'cms.settings': permit } },
  );
}
