import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOST_TOOLS } from '../../../adapters/http/package-files.ts';
import { PAGE_FILES, PAGE_PACKAGE } from '../../../lib/describe/reference-page.ts';

const files = suite('HOST_TOOLS');

files('reads the files of the reference page', async () => {
  for (const { path } of PAGE_FILES.values())
    assert.ok(((await HOST_TOOLS.readPackageFile(PAGE_PACKAGE, path)) ?? []).length > 10_000, path);
});

files('returns null for a package that is not installed', async () => {
  assert.is(await HOST_TOOLS.readPackageFile('no-such-package-of-routebook', 'index.js'), null);
});

files.run();
