// Writes dist/reference from the docstrings of what was compiled: `npm run reference`. `npm pack` does it for the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEntries } from '../support/reference/read-entries.ts';
import { writePages } from '../support/reference/write-pages.ts';
import { PROJECT } from '../support/sources.ts';

const folder = join(PROJECT, 'dist/reference');
const pages = writePages(readEntries());
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of pages) writeFileSync(join(folder, file), text);
