import { mkdirSync, writeFileSync } from 'node:fs';
import { loadCommands } from '../../adapters/cli/commands.ts';
import { readVersion } from '../../adapters/cli/main.ts';
import { toCommandsPage, toManPage } from '../support/command-documents.ts';
import { PROJECT } from '../support/sources.ts';

// Writes docs/commands.md and man/routebook.1 from the commands: `npm run build && node dist/test/scripts/command-documents.js`.
const commands = await loadCommands();
mkdirSync(`${PROJECT}man`, { recursive: true });
writeFileSync(`${PROJECT}docs/commands.md`, toCommandsPage(commands));
writeFileSync(`${PROJECT}man/routebook.1`, toManPage(commands, readVersion()));
