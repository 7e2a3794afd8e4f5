// Serves a site with the editor that was built. Further options of `routebook serve` follow: npm start -- --port 8080
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/adapters/cli/bin.js', import.meta.url));
const build = fileURLToPath(new URL('build', import.meta.url));
// Synced patterns are a type that a site declares.
const config = fileURLToPath(new URL('site.json', import.meta.url));
const args = ['serve', '--names', 'wordpress', '--plugins', 'editor', '--editor', build, '--config', config];
const server = spawn(process.execPath, [command, ...args, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));
