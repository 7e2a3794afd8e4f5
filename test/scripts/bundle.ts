// Bundles what was compiled, so that an import of the package reads few files: `npm run bundle`. `npm pack` does it for the package.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../support/package/bundle.ts';
import { PROJECT } from '../support/sources.ts';

await bundle(join(PROJECT, 'dist'));
// The next build compiles everything: the compiler does not know that its files were replaced.
rmSync(join(PROJECT, 'dist/.tsbuildinfo'), { force: true });
