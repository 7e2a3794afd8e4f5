import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import { ANSWERS } from './answers.ts';

const WRITE = ['POST', 'PUT', 'PATCH'] as const;

/** The signed text, and its Ed25519 signature in hexadecimal digits. */
const SIGNED = {
  data: { type: 'string', required: true, maxLength: 512 },
  signature: { type: 'string', required: true, maxLength: 512 },
} as const;

/**
 * Routes of `secscan/v1`. `secscan.token`: a machine token, in the header `Authorization` or `X-Authorization`, or an administrator;
 * `secscan.premium`: a premium token.
 */
export const secscanDescriptor = {
  namespace: 'secscan/v1',
  routes: [
    {
      pattern: '/secscan/v1/authenticate',
      endpoints: [
        { methods: ['GET'], handler: 'secscan.nonce', permission: 'public', args: {}, answer: ANSWERS.nonce },
        { methods: ['POST'], handler: 'secscan.authenticate', permission: 'public', args: {}, body: SIGNED, answer: ANSWERS.token },
      ],
    },
    {
      pattern: '/secscan/v1/authenticate-premium',
      endpoints: [{ methods: ['POST'], handler: 'secscan.authenticatePremium', permission: 'public', args: {}, body: SIGNED, answer: ANSWERS.token }],
    },
    {
      pattern: '/secscan/v1/config',
      endpoints: [
        {
          methods: ['GET'], handler: 'secscan.config.read', permission: 'secscan.token', args: {},
          body: { fields: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 100 } }, answer: ANSWERS.config,
        },
        {
          methods: WRITE, handler: 'secscan.config.write', permission: 'secscan.token', args: {},
          body: { fields: { type: 'object', required: true, additionalProperties: true } }, answer: ANSWERS.success,
        },
      ],
    },
    {
      pattern: '/secscan/v1/disconnect',
      endpoints: [{ methods: WRITE, handler: 'secscan.disconnect', permission: 'secscan.token', args: {}, answer: ANSWERS.success }],
    },
    {
      pattern: '/secscan/v1/premium-connect',
      endpoints: [{
        methods: WRITE, handler: 'secscan.connect', permission: 'secscan.premium', args: {},
        body: {
          'public-key': { type: 'string', required: true, maxLength: 512 },
          'site-id': { type: 'string', required: true, maxLength: 512 },
          'site-data': { type: 'object', default: {}, additionalProperties: true },
        },
        answer: ANSWERS.connected,
      }],
    },
    {
      pattern: '/secscan/v1/scan/issues',
      endpoints: [{
        methods: ['GET'], handler: 'secscan.issues.list', permission: 'secscan.token', args: {},
        body: {
          group: { type: 'string', enum: ['all', 'pending'], default: 'all' },
          offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
          limit: { type: 'integer', minimum: 0, maximum: 500, default: 0 },
        },
        answer: ANSWERS.issues,
      }],
    },
    {
      pattern: '/secscan/v1/scan',
      endpoints: [
        { methods: ['POST'], handler: 'secscan.scan.start', permission: 'secscan.token', args: {}, answer: ANSWERS.started },
        { methods: ['DELETE'], handler: 'secscan.scan.stop', permission: 'secscan.token', args: {}, answer: ANSWERS.success },
      ],
    },
    {
      pattern: '/secscan/v1/scan/issue',
      endpoints: [{
        methods: WRITE, handler: 'secscan.issues.update', permission: 'secscan.token', args: {},
        body: {
          issue: {
            type: 'object', required: true,
            properties: {
              id: { type: 'integer', minimum: 1, required: true },
              status: { type: 'string', enum: ['new', 'ignoreC', 'ignoreP', 'delete'], required: true },
            },
          },
        },
        answer: ANSWERS.success,
      }],
    },
  ],
} as const satisfies NamespaceDescriptor;
