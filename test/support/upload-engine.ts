import { createHmac } from 'node:crypto';
import type { Engine, EngineOptions } from '../../lib/engine/engine.ts';
import type { Uploads } from '../../lib/ports/uploads.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import { createTestEngine } from './site.ts';

export const HOOK_SECRET = 'secret of the webhook';
/** Largest bodies of the test routes, in bytes. */
export const BYTES_LIMIT = 2_000_000;
export const FILE_LIMIT = 150_000_000;

export function sign(body: string | Uint8Array): string {
  return createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
}

const namespace = defineNamespace(
  {
    namespace: 'up/v1',
    routes: [
      {
        pattern: '/up/v1/bytes',
        endpoints: [
          {
            methods: ['POST', 'PUT'],
            handler: 'bytes',
            permission: 'public',
            args: { note: { type: 'string' } },
            accepts: { 'application/octet-stream': 'bytes', 'image/*': 'bytes' },
            maxBodyBytes: BYTES_LIMIT,
          },
        ],
      },
      {
        pattern: '/up/v1/stream',
        endpoints: [
          {
            methods: ['POST'],
            handler: 'stream',
            permission: 'public',
            args: { take: { type: 'integer' } },
            accepts: { 'application/json': 'args', '*/*': 'stream' },
            maxBodyBytes: FILE_LIMIT,
          },
        ],
      },
      {
        pattern: '/up/v1/form',
        endpoints: [
          {
            methods: ['POST'],
            handler: 'form',
            permission: 'public',
            maxBodyBytes: FILE_LIMIT,
            args: {
              title: { type: 'string', required: true, maxLength: 10 },
              ids: { type: 'array', items: { type: 'integer' } },
              fail: { type: 'boolean', default: false },
            },
            accepts: {
              'multipart/form-data': {
                files: {
                  photo: { required: true, maxCount: 2 },
                  icon: { maxBytes: 1000, types: ['image/png'] },
                },
              },
            },
          },
        ],
      },
      {
        pattern: '/up/v1/hook',
        endpoints: [
          {
            methods: ['POST'],
            handler: 'hook',
            permission: 'isSigned',
            args: { id: { type: 'integer', required: true } },
            accepts: { 'application/json': 'bytes' },
          },
        ],
      },
      {
        pattern: '/up/v1/own',
        endpoints: [
          {
            methods: ['POST'],
            handler: 'own',
            permission: 'upload',
            args: {},
            accepts: { '*/*': 'stream', 'multipart/form-data': { files: { photo: {} } } },
            maxBodyBytes: FILE_LIMIT,
          },
        ],
      },
      {
        pattern: '/up/v1/plain',
        endpoints: [
          { methods: ['POST'], handler: 'plain', permission: 'public', args: { id: { type: 'integer' } } },
        ],
      },
    ],
  } as const,
  {
    bytes: ({ note }, { bytes }) => ({ note, size: bytes?.length ?? null }),
    async stream({ take = FILE_LIMIT }, { stream }) {
      let size = 0;
      for await (const chunk of stream ?? []) {
        size += chunk.length;
        if (size >= take) break;
      }
      return { size, isStream: stream !== null };
    },
    form(args, { files }) {
      if (args.fail) throw new Error('the handler failed');
      return { ...args, files };
    },
    hook: ({ id }) => ({ id }),
    own: () => 'reached',
    plain: ({ id }) => ({ id }),
  },
  {
    permissions: {
      isSigned: (_args, { bytes, request }) =>
        bytes !== null && request.headers['x-signature'] === sign(bytes),
    },
  },
);

/** An engine whose routes accept bodies of many types. */
export function createUploadEngine(uploads: Uploads, options: Partial<EngineOptions> = {}): Engine {
  return createTestEngine([namespace], { uploads, capabilities: new Set(['upload']), ...options });
}
