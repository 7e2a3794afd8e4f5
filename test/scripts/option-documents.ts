// Writes docs/options.md from the docstrings of the options: `npm run build && node dist/test/scripts/option-documents.js`.
import { writeFileSync } from 'node:fs';
import { describeOptions } from '../support/option-list.ts';
import { PROJECT } from '../support/sources.ts';

writeFileSync(`${PROJECT}docs/options.md`, describeOptions());
