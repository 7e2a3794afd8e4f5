import type { Json } from '../../../../lib/index.ts';

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
export const ANSWERS = {
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
