import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';

/** Maximum length of a configuration in characters. Its bytes are counted when it is saved. */
export const MAX_CONFIG = 256 * 1024;

const CONTENT = { content: { type: 'string', maxLength: MAX_CONFIG, required: true } } as const satisfies ArgSchemas;

const CONFIG_ERRORS = {
  type: 'array',
  items: {
    type: 'object', additionalProperties: false,
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
        { methods: ['GET'], handler: 'ml.config.read', permission: 'manage_options', args: {}, answer: { type: 'string' } },
        { methods: ['POST'], handler: 'ml.config.write', permission: 'manage_options', args: {}, body: CONTENT, answer: { type: 'string' } },
      ],
    },
    {
      pattern: '/ml/v1/custom-xml-config/validate',
      endpoints: [{ methods: ['POST'], handler: 'ml.config.check', permission: 'manage_options', args: {}, body: CONTENT, answer: CONFIG_ERRORS }],
    },
  ],
} as const satisfies NamespaceDescriptor;
