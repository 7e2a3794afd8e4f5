import type { Json, NamespaceDescriptor } from '../../../lib/index.ts';

const text = { type: 'string', required: true } as const;
const count = { type: 'integer', minimum: 0, required: true } as const;
const success = { type: 'boolean', enum: [true], required: true } as const;

const issue = {
  type: 'object',
  properties: {
    id: count,
    time: count,
    lastUpdated: count,
    status: { ...text, enum: ['new', 'ignoreC', 'ignoreP'] },
    type: text,
    severity: { type: 'integer', enum: [0, 25, 50, 75, 100], required: true },
    ignoreP: text,
    ignoreC: text,
    shortMsg: text,
    longMsg: text,
    data: { type: 'object', required: true },
  },
} as const;
const issues = { type: 'array', items: issue, maxItems: 500, required: true } as const;

const scan = {
  type: 'object',
  required: true,
  properties: {
    id: count,
    status: { ...text, enum: ['none', 'running', 'finished', 'stopped', 'failed'] },
    started: count,
    ended: count,
    total: count,
    done: count,
    faults: count,
  },
} as const;

const info = {
  type: 'object',
  required: true,
  properties: {
    version: text,
    node: text,
    platform: text,
    site_url: text,
    languages: { type: 'array', items: { type: 'string' }, required: true },
    posts: { type: 'object', additionalProperties: { type: 'integer' }, required: true },
  },
} as const;

/** Response schemas of `secscan/v1`. */
const ANSWERS = {
  nonce: { type: 'object', properties: { nonce: { ...text, pattern: '^[0-9a-f]{64}$' }, admin_url: text } },
  token: { type: 'object', properties: { token: text } },
  config: { type: 'object', properties: { config: { type: 'object', required: true }, info } },
  success: { type: 'object', properties: { success } },
  connected: {
    type: 'object',
    properties: { success, 'public-key': { ...text, pattern: '^[0-9a-f]{64}$' } },
  },
  started: { type: 'object', properties: { success, scanId: count } },
  issues: {
    type: 'object',
    properties: {
      count,
      'last-scan-time': count,
      scan,
      issues: {
        oneOf: [issues, { type: 'object', properties: { new: issues, ignored: issues } }],
        required: true,
      },
    },
  },
} as const satisfies Readonly<Record<string, Json>>;

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
        {
          methods: ['GET'],
          handler: 'secscan.nonce',
          permission: 'public',
          summary: 'Get a nonce to sign',
          description:
            'Returns a nonce that the security dashboard signs to prove its identity and, if one is configured, the address of the administration.',
          args: {},
          answers: { 200: ANSWERS.nonce },
        },
        {
          methods: ['POST'],
          handler: 'secscan.authenticate',
          permission: 'public',
          summary: 'Exchange a signed nonce for a token',
          description:
            'Checks the signature of the connected dashboard over a nonce and returns a token that is valid for ten minutes.',
          args: {},
          body: SIGNED,
          answers: { 200: ANSWERS.token },
        },
      ],
    },
    {
      pattern: '/secscan/v1/authenticate-premium',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'secscan.authenticatePremium',
          permission: 'public',
          summary: 'Exchange a nonce signed by the controller for a token',
          description:
            'Checks the signature of the configured controller over a nonce and the e-mail address of an administrator, and returns the token with which a dashboard can be connected.',
          args: {},
          body: SIGNED,
          answers: { 200: ANSWERS.token },
        },
      ],
    },
    {
      pattern: '/secscan/v1/config',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'secscan.config.read',
          permission: 'secscan.token',
          summary: 'Read the scan settings',
          description:
            'Returns the settings of the security scan, all or those that are named, with facts about the site such as its version and languages.',
          args: {},
          body: { fields: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 100 } },
          answers: { 200: ANSWERS.config },
        },
        {
          methods: WRITE,
          handler: 'secscan.config.write',
          permission: 'secscan.token',
          summary: 'Change the scan settings',
          description:
            'Saves the given settings of the security scan together, or none of them if one is not valid.',
          args: {},
          body: { fields: { type: 'object', required: true, additionalProperties: true } },
          answers: { 200: ANSWERS.success },
        },
      ],
    },
    {
      pattern: '/secscan/v1/disconnect',
      endpoints: [
        {
          methods: WRITE,
          handler: 'secscan.disconnect',
          permission: 'secscan.token',
          summary: 'Disconnect the dashboard',
          description:
            'Deletes the keys of the connected dashboard and revokes every token that it was given.',
          args: {},
          answers: { 200: ANSWERS.success },
        },
      ],
    },
    {
      pattern: '/secscan/v1/premium-connect',
      endpoints: [
        {
          methods: WRITE,
          handler: 'secscan.connect',
          permission: 'secscan.premium',
          summary: 'Connect a dashboard',
          description:
            'Stores the public key and the site ID of a dashboard and returns the public key that this site created for the connection.',
          args: {},
          body: {
            'public-key': { type: 'string', required: true, maxLength: 512 },
            'site-id': { type: 'string', required: true, maxLength: 512 },
            'site-data': { type: 'object', default: {}, additionalProperties: true },
          },
          answers: { 200: ANSWERS.connected },
        },
      ],
    },
    {
      pattern: '/secscan/v1/scan/issues',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'secscan.issues.list',
          permission: 'secscan.token',
          summary: 'List the issues that the scan found',
          description:
            'Returns the findings of the security scan with the most severe first, either all of them by status or only those that are pending.',
          args: {},
          body: {
            group: { type: 'string', enum: ['all', 'pending'], default: 'all' },
            offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
            limit: { type: 'integer', minimum: 0, maximum: 500, default: 0 },
          },
          answers: { 200: ANSWERS.issues },
        },
      ],
    },
    {
      pattern: '/secscan/v1/scan',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'secscan.scan.start',
          permission: 'secscan.token',
          summary: 'Start a scan',
          description:
            'Starts a security scan of the content and the settings in the background and returns its ID, unless a scan is already running.',
          args: {},
          answers: { 200: ANSWERS.started },
        },
        {
          methods: ['DELETE'],
          handler: 'secscan.scan.stop',
          permission: 'secscan.token',
          summary: 'Stop the running scan',
          description:
            'Stops the security scan if one is running and keeps the issues that it has found so far.',
          args: {},
          answers: { 200: ANSWERS.success },
        },
      ],
    },
    {
      pattern: '/secscan/v1/scan/issue',
      endpoints: [
        {
          methods: WRITE,
          handler: 'secscan.issues.update',
          permission: 'secscan.token',
          summary: 'Ignore, reopen or delete an issue',
          description:
            'Changes the status of an issue to new, ignored until its content changes, or ignored for good, or deletes it.',
          args: {},
          body: {
            issue: {
              type: 'object',
              required: true,
              properties: {
                id: { type: 'integer', minimum: 1, required: true },
                status: { type: 'string', enum: ['new', 'ignoreC', 'ignoreP', 'delete'], required: true },
              },
            },
          },
          answers: { 200: ANSWERS.success },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
