import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EndpointDescriptor, findReading } from '../../../lib/route/descriptor.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const accepting = suite('accepts');

const uploads = { save: async () => 'id', remove: async () => undefined };
const FILES = { 'multipart/form-data': { files: {} } } as const;

/** What an endpoint may declare by mistake, and how the refusal reads. Values as a .json file may hold them. */
const REFUSED: readonly (readonly [endpoint: object, expected: RegExp])[] = [
  [{ accepts: {} }, /accepts must name a media type/],
  [{ accepts: 'image/png' }, /accepts: "image\/png" is not an object of media types, such as /],
  [{ accepts: { png: 'bytes' } }, /accepts names "png", which must be a media type/],
  [{ accepts: { 'Image/PNG': 'bytes' } }, /accepts names "Image\/PNG"/],
  [{ accepts: { 'image/png; q=1': 'bytes' } }, /accepts names "image\/png; q=1"/],
  [{ accepts: { '*/png': 'bytes' } }, /accepts names "\*\/png"/],
  [{ accepts: { 'image/*x': 'bytes' } }, /accepts names "image\/\*x"/],
  [{ accepts: { '': 'bytes' } }, /accepts names ""/],
  [
    { accepts: { 'image/png': 'byte' } },
    /accepts\.image\/png: "byte" is not "args", "bytes", "stream" or an object with files/,
  ],
  [{ accepts: { 'image/png': 'args' } }, /reads "image\/png" as args/],
  [{ accepts: { 'image/png': { files: {} } } }, /has files for "image\/png"/],
  [{ accepts: { 'multipart/form-data': {} } }, /accepts\.multipart\/form-data\.files is missing/],
  [
    { accepts: { 'multipart/form-data': { files: { a: { maxCount: 0 } } } } },
    /files\.a\.maxCount: 0 is not a whole number of 1 or more/,
  ],
  [
    { accepts: { 'multipart/form-data': { files: { a: { size: 1 } } } } },
    /files\.a\.size: unknown member; the members are required, maxCount, maxBytes, types/,
  ],
  [
    { accepts: { 'multipart/form-data': { files: { a: { required: false } } } } },
    /files\.a\.required: false is not true/,
  ],
  [
    { accepts: { 'multipart/form-data': { files: { a: { types: [] } } } } },
    /files\.a\.types: \[\] is not a list of media types/,
  ],
  [
    { accepts: { 'multipart/form-data': { files: { constructor: {} } } } },
    /files: constructor is not a name for a member/,
  ],
  [{ accepts: { 'image/png': 'bytes' }, methods: ['GET', 'POST'] }, /GET has none/],
  [
    { accepts: { 'image/png': 'bytes' }, allow_batch: { v1: true } },
    /allow_batch needs accepts to read application\/json as args/,
  ],
  [{ accepts: { 'application/json': 'bytes' }, allow_batch: { v1: true } }, /allow_batch needs accepts/],
  [{ maxBodyBytes: 5 }, /maxBodyBytes needs accepts/],
  [
    { accepts: { 'image/png': 'bytes' }, maxBodyBytes: 0 },
    /maxBodyBytes: 0 is not a whole number of 1 or more/,
  ],
];

function register(endpoint: object, options = {}): void {
  const { allow_batch: batch, ...parts } = { methods: ['POST'], ...endpoint } as Partial<EndpointDescriptor>;
  const namespace = createProbe();
  const [route] = namespace.descriptor.routes;
  const descriptor = {
    handler: 'probe',
    permission: 'public',
    args: {},
    ...parts,
    ...(batch === undefined ? {} : { allow_batch: batch }),
  } as EndpointDescriptor;
  createTestEngine(
    [
      {
        ...namespace,
        descriptor: {
          ...namespace.descriptor,
          routes: [{ pattern: route?.pattern ?? '', endpoints: [descriptor] }],
        },
      },
    ],
    options,
  );
}

accepting('is refused by name where a body cannot be read as declared', () => {
  for (const [endpoint, expected] of REFUSED) {
    const text = refusalOf(() => register(endpoint, { uploads }));
    assert.match(text, expected, JSON.stringify(endpoint));
    assert.match(text, /^probe\/v1: \/probe\/v1\/it /);
  }
});

accepting('needs a port for files', () => {
  assert.match(
    refusalOf(() => register({ accepts: FILES })),
    /^probe\/v1: \/probe\/v1\/it POST: accepts has files, which createEngine can store only with the option uploads$/,
  );
  register({ accepts: FILES }, { uploads });
  for (const wrong of [{}, { save: uploads.save }, { ...uploads, remove: 1 }, 'dir', 7])
    assert.match(
      refusalOf(() => register({}, { uploads: wrong })),
      /uploads/,
      JSON.stringify(wrong),
    );
});

accepting('may be batched where JSON holds the args', () =>
  register({ accepts: { 'application/json': 'args', 'image/png': 'bytes' }, allow_batch: { v1: true } }),
);

accepting('decides by the most specific range', () => {
  const accepts = { 'image/png': 'bytes', 'image/*': 'stream', '*/*': 'args' } as const;
  const rows = [
    ['image/png', 'bytes'],
    ['image/gif', 'stream'],
    ['text/plain', 'args'],
    ['constructor', 'args'],
  ] as const;
  for (const [type, reading] of rows) assert.is(findReading(accepts, type), reading);
  for (const type of ['image/gif', 'constructor', '__proto__', 'toString'])
    assert.is(findReading({ 'image/png': 'bytes' }, type), null, type);
});

accepting.run();
