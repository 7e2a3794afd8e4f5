// Writes the codes of docs/errors.md from the error tables: `npm run build && node dist/test/scripts/error-documents.js`.
import { readFileSync, writeFileSync } from 'node:fs';
import { CODES_HEADING, describeErrors } from '../support/error-list.ts';
import { PROJECT } from '../support/sources.ts';

const page = `${PROJECT}docs/errors.md`;
const [explained = ''] = readFileSync(page, 'utf8').split(CODES_HEADING);
writeFileSync(page, explained + (await describeErrors()));
