import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUploads } from '../../../adapters/uploads.ts';
import { createEngine } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { fileResponse, parseRange } from '../../../lib/http/file-response.ts';
import type { WireResponse } from '../../../lib/http/host.ts';
import type { Call } from '../../../lib/route/call.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { inFolder } from '../../support/temporary.ts';

const ranges = suite('parseRange');

ranges('reads one range, and ignores what it cannot read', () => {
  for (const [header, range] of [
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=2-', { first: 2, last: 9 }],
    ['bytes=2-99', { first: 2, last: 9 }],
    ['BYTES= 2-4', { first: 2, last: 4 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=4-2', null],
    ['bytes=0-1,3-4', null],
    ['bytes=-', null],
    ['lines=0-1', null],
    ['bytes=0x1-2', null],
    [undefined, null],
  ] as const)
    assert.equal(parseRange(header, 10), range, header);
  assert.is(parseRange('bytes=0-', 0), 'unsatisfiable');
});

ranges.run();

const files = suite('stored files');

files('are sent whole and in part', () =>
  inFolder(async (folder) => {
    const uploads = createUploads(folder);
    const id = await uploads.save(
      (async function* () {
        yield Buffer.from('0123456789');
      })(),
      { field: 'f', filename: 'f.txt', type: 'text/plain' },
    );
    const file = {
      methods: ['GET'],
      handler: 'file',
      permission: 'public',
      args: {},
      streams: 'bytes',
    } as const;
    const namespace = defineNamespace(
      { namespace: 'f', routes: [{ pattern: '/f', endpoints: [file] }] },
      {
        file: async (_args: unknown, { request }: Call) => {
          const stored = await uploads.open(id);
          return stored === null ? null : fileResponse(request, stored, { type: 'text/plain' });
        },
      },
    );
    const engine = createEngine({ namespaces: [namespace] });
    const get = async (headers: Record<string, string>, method = 'GET') => {
      const wire: WireResponse = await engine.serve(createRequest('/f', { headers, method }));
      let text = '';
      for await (const chunk of wire.stream ?? []) text += Buffer.from(chunk).toString();
      return [wire.status, wire.headers['Content-Range'], text];
    };
    const tag = `"${id}"`;
    assert.equal(await get({}), [200, undefined, '0123456789']);
    assert.equal(await get({ range: 'bytes=2-4' }), [206, 'bytes 2-4/10', '234']);
    assert.equal(await get({ range: 'bytes=2-4', 'if-range': tag }), [206, 'bytes 2-4/10', '234']);
    assert.equal(await get({ range: 'bytes=2-4', 'if-range': '"other"' }), [200, undefined, '0123456789']);
    assert.equal(await get({ range: 'bytes=10-' }), [416, 'bytes */10', '']);
    assert.equal(await get({ 'if-none-match': tag }), [304, undefined, '']);
    assert.equal(await get({ range: 'bytes=2-4' }, 'HEAD'), [200, undefined, '']);
    assert.is(await uploads.open('00000000-0000-0000-0000-000000000000'), null);
  }),
);

files.run();
