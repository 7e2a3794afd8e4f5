// Writes the routes of docs/plugin-routes.md from the descriptors: `npm run build && node dist/test/scripts/plugin-route-documents.js`.
import { readFileSync, writeFileSync } from 'node:fs';
import { describePluginRoutes, ROUTES_HEADING } from '../support/plugin-route-list.ts';
import { PROJECT } from '../support/sources.ts';

const page = `${PROJECT}docs/plugin-routes.md`;
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.slice(0, text.indexOf(ROUTES_HEADING)) + (await describePluginRoutes()));
