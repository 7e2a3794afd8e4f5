import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOptions } from '../../../adapters/cli/frame/options.ts';
import { isPublic } from '../../../adapters/cli/serve/initial-content.ts';
import { SERVE_OPTIONS, toServeOptions } from '../../../adapters/cli/serve/serve-options.ts';

const options = suite('toServeOptions');

const readServeOptions = (args: readonly string[]) => toServeOptions(readOptions(SERVE_OPTIONS, args));

const REFUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [
    ['--prot', '1'],
    /--prot.*Known options: --port, --host, --site-url, --front-end, --address-header, --store/,
  ],
  [['--port', '65536'], /--port/],
  [['--port', 'x'], /--port/],
  [['--workers', '0'], /--workers/],
  [['--test-reset'], /--test-reset needs --store memory/],
  [
    ['--site-url', 'https://site.example/'],
    /--site-url: "https:\/\/site.example\/" is not an absolute URL without a trailing slash/,
  ],
  [['--site-url', 'site.example'], /--site-url/],
  [['--address-header', 'x real ip'], /--address-header: "x real ip" is not a header name/],
  [['--address-header', ''], /--address-header/],
  [['--trusted-origins', '*'], /^--trusted-origins "\*": must be a list of origins/],
  [['--trusted-origins', 'https://app.example,https://site.example/'], /--trusted-origins/],
  [['--trusted-origins', ''], /--trusted-origins/],
  [['extra'], /extra/],
];

for (const [args, says] of REFUSED)
  options(`refuses ${args.join(' ')}`, () => assert.throws(() => readServeOptions(args), says));

options('starts on port 8787 of this machine alone, with a file store', () => {
  const { host, port, store } = readServeOptions([]);
  assert.equal({ host, port, store }, { host: '127.0.0.1', port: 8787, store: 'file:./data' });
});

options('tell whether others reach the server', () => {
  const reach = (args: readonly string[]): boolean => isPublic(readServeOptions(args));
  for (const args of [
    [],
    ['--host', 'localhost'],
    ['--host', '127.0.0.2'],
    ['--host', '::1'],
    ['--site-url', 'http://localhost:3000'],
    ['--site-url', 'http://[::1]:3000'],
  ])
    assert.equal([args, reach(args)], [args, false]);
  for (const args of [
    ['--host', '0.0.0.0'],
    ['--host', '::'],
    ['--host', '10.0.0.1'],
    ['--host', '127.0.0.1.site.example'],
    ['--site-url', 'https://site.example'],
    ['--address-header', 'x-real-ip'],
  ])
    assert.equal([args, reach(args)], [args, true]);
});

options.run();
