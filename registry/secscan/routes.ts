import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

const WRITE = ['POST', 'PUT', 'PATCH'] as const;

/** interface.md 4.6. `secscan.token`: a machine token or an administrator; `secscan.premium`: a premium token. */
export const secscanDescriptor = {
  namespace: 'secscan/v1',
  routes: [
    {
      pattern: '/secscan/v1/authenticate',
      endpoints: [
        { methods: ['GET'], handler: 'secscan.nonce', permission: 'public', args: {} },
        { methods: ['POST'], handler: 'secscan.authenticate', permission: 'public', args: {} },
      ],
    },
    {
      pattern: '/secscan/v1/authenticate-premium',
      endpoints: [{ methods: ['POST'], handler: 'secscan.authenticatePremium', permission: 'public', args: {} }],
    },
    {
      pattern: '/secscan/v1/config',
      endpoints: [
        { methods: ['GET'], handler: 'secscan.config.read', permission: 'secscan.token', args: {} },
        { methods: WRITE, handler: 'secscan.config.write', permission: 'secscan.token', args: {} },
      ],
    },
    {
      pattern: '/secscan/v1/disconnect',
      endpoints: [{ methods: WRITE, handler: 'secscan.disconnect', permission: 'secscan.token', args: {} }],
    },
    {
      pattern: '/secscan/v1/premium-connect',
      endpoints: [{ methods: WRITE, handler: 'secscan.connect', permission: 'secscan.premium', args: {} }],
    },
    {
      pattern: '/secscan/v1/scan/issues',
      endpoints: [{ methods: ['GET'], handler: 'secscan.issues.list', permission: 'secscan.token', args: {} }],
    },
    {
      pattern: '/secscan/v1/scan',
      endpoints: [
        { methods: ['POST'], handler: 'secscan.scan.start', permission: 'secscan.token', args: {} },
        { methods: ['DELETE'], handler: 'secscan.scan.stop', permission: 'secscan.token', args: {} },
      ],
    },
    {
      pattern: '/secscan/v1/scan/issue',
      endpoints: [{ methods: WRITE, handler: 'secscan.issues.update', permission: 'secscan.token', args: {} }],
    },
  ],
} as const satisfies NamespaceDescriptor;
