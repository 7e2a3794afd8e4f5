import type { ArgSchema, ArgSchemas, NamespaceDescriptor } from '../../../lib/index.ts';

/** Maximum length of a configuration in characters. Its bytes are counted when it is saved. */
export const MAX_CONFIG = 256 * 1024;

const CONTENT = {
  content: { type: 'string', maxLength: MAX_CONFIG, required: true },
} as const satisfies ArgSchemas;

const CONFIG_ERRORS = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      level: { type: 'integer', enum: [2, 3], required: true },
      code: { type: 'integer', required: true },
      column: { type: 'integer', required: true },
      message: { type: 'string', required: true },
      file: { type: 'string', required: true },
      line: { type: 'integer', required: true },
    },
  },
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
