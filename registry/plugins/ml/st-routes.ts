import type { ArgSchema, NamespaceDescriptor } from '../../../lib/index.ts';
import { COMPONENT_NAME } from './mo/mo-import.ts';

const NAMES = {
  type: 'array',
  items: { type: 'string', pattern: COMPONENT_NAME },
  default: [],
} as const satisfies ArgSchema;

/** Part of the name of an option. */
const WORD = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  required: true,
} as const satisfies ArgSchema;

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
          answers: {
            200: {
              type: 'object',
              additionalProperties: false,
              properties: {
                total: { type: 'integer', required: true },
                remaining: { type: 'integer', required: true },
                scan_message: { type: 'string', required: true },
              },
            },
          },
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
          answers: {
            200: {
              type: 'object',
              additionalProperties: false,
              properties: { remaining: { type: 'integer', required: true } },
            },
          },
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
          body: { group: WORD, key: WORD },
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
            group: {
              description: 'Only this group of settings.',
              type: 'string',
              pattern: '^[A-Za-z0-9_-]{1,64}$',
            },
          },
          answers: { 200: { type: 'object', additionalProperties: { type: 'object' } } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
