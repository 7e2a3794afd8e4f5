import type { ArgSchema, ArgSchemas, Handlers, NamespaceDescriptor } from '../../../../lib/index.ts';
import { closed, INTEGER, TEXT } from './tm-schemas.ts';

/** Routes of `ml/ate/v1`. */
export const mlAteDescriptor = {
  namespace: 'ml/ate/v1',
  routes: [
    {
      pattern: '/ml/ate/v1/ate/proxy',
      endpoints: [
        {
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          handler: 'ml.ate.proxy',
          tool: false,
          permission: 'manage_translations',
          summary: 'Forward a request to the translation service',
          description:
            'Passes a request of the browser on to the connected translation service with the credentials of the site, and returns its response.',
          args: {},
          body: {
            url: { type: 'string', maxLength: 2048 },
            method: { type: 'string', maxLength: 10 },
            headers: { type: 'array', items: { type: 'string', maxLength: 4200 }, maxItems: 50 },
            query: { type: ['object', 'string'] },
            body: {},
            content_type: { type: 'string', maxLength: 200 },
          },
          // Any response of the service.
          answers: { '2XX': {} },
          produces: ['*/*'],
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** The validated parameters of the proxy. */
export type ProxyArgs = Parameters<Handlers<typeof mlAteDescriptor>['ml.ate.proxy']>[0];

/** Maximum length of a configuration in characters. Its bytes are counted when it is saved. */
export const MAX_CONFIG = 256 * 1024;

const CONTENT = {
  content: { type: 'string', maxLength: MAX_CONFIG, required: true },
} as const satisfies ArgSchemas;

const CONFIG_ERRORS = {
  type: 'array',
  items: closed({
    level: { type: 'integer', enum: [2, 3], required: true },
    code: INTEGER,
    column: INTEGER,
    message: TEXT,
    file: TEXT,
    line: INTEGER,
  }),
} as const satisfies ArgSchema;

/** Routes of `ml/v1`. */
export const mlDescriptor = {
  namespace: 'ml/v1',
  routes: [
    {
      pattern: '/ml/v1/custom-xml-config',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.config.read',
          permission: 'manage_options',
          summary: 'Read the translation rules of the site',
          description:
            'Returns the XML configuration that says which fields, taxonomies and texts are translated, or an empty text if there is none.',
          args: {},
          answers: { 200: { type: 'string' } },
        },
        {
          methods: ['POST'],
          handler: 'ml.config.write',
          permission: 'manage_options',
          summary: 'Replace the translation rules of the site',
          description:
            'Checks an XML configuration, saves it and applies it to the translation jobs that are created from then on; an empty text removes it.',
          args: {},
          body: CONTENT,
          answers: { 200: { type: 'string' } },
        },
      ],
    },
    {
      pattern: '/ml/v1/custom-xml-config/validate',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.config.check',
          effect: 'read',
          permission: 'manage_options',
          summary: 'Check translation rules without saving them',
          description:
            'Reports each mistake of an XML configuration with its line and column, or an empty list if it can be saved.',
          args: {},
          body: CONTENT,
          answers: { 200: CONFIG_ERRORS },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const NAMES = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$' },
  default: [],
} as const satisfies ArgSchema;

/** Part of the name of an option. */
const WORD = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } as const satisfies ArgSchema;
const NEEDED_WORD = { ...WORD, required: true } as const;

/** Routes of `ml/st/v1`. */
export const mlStDescriptor = {
  namespace: 'ml/st/v1',
  routes: [
    {
      pattern: '/ml/st/v1/import_mo_strings',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.st.import',
          permission: 'manage_options',
          summary: 'Import strings from translation files',
          description:
            'Reads a batch of .mo files of the named plugins, themes and other components, stores their strings and tells how many files remain.',
          args: {
            plugins: { description: 'Names of the plugins whose strings to import.', type: 'array' },
            themes: { description: 'Names of the themes whose strings to import.', type: 'array' },
            other: { description: 'Names of other components whose strings to import.', type: 'array' },
          },
          body: { plugins: NAMES, themes: NAMES, other: NAMES },
          answers: { 200: closed({ total: INTEGER, remaining: INTEGER, scan_message: TEXT }) },
        },
      ],
    },
    {
      pattern: '/ml/st/v1/pre_generate_mo_files',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.st.generate',
          permission: 'manage_options',
          summary: 'Generate translation files',
          description:
            'Writes the translated strings into one .mo file for each domain and language, a batch at a time, and tells how many files remain.',
          args: {},
          answers: { 200: closed({ remaining: INTEGER }) },
        },
      ],
    },
    {
      pattern: '/ml/st/v1/settings',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.st.settings',
          permission: 'manage_options',
          summary: 'Save a setting of string translation',
          description: 'Stores a JSON value under the given group and name.',
          args: {
            group: { description: 'Group of the setting.', required: true },
            key: { description: 'Name of the setting within its group.', required: true },
            data: { description: 'New value of the setting.', required: true },
          },
          body: { group: NEEDED_WORD, key: NEEDED_WORD },
          answers: { 200: { type: 'null' } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** Shows the settings that were stored. Served only if the host wants it, so that the recorded index stays as it is. */
export const mlStSettingsDescriptor = {
  namespace: 'ml/st/v1',
  routes: [
    {
      pattern: '/ml/st/v1/settings',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.st.settings.read',
          permission: 'manage_options',
          summary: 'Read the settings of string translation',
          description: 'Returns the stored values by group and name, of all groups or of one.',
          args: {
            group: { description: 'Only this group of settings.', ...WORD },
          },
          answers: { 200: { type: 'object', additionalProperties: { type: 'object' } } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
