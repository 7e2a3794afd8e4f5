// Compiles a clone if its sources are newer than what was compiled from them. `npm start` runs this first, and does not wait for the tests to be compiled.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COMPILER = `${ROOT}node_modules/typescript/bin/tsc`;
const FOLDERS = ['lib', 'registry', 'adapters', 'examples'];

/** Milliseconds; 0 for a file that does not exist. */
function readTime(file) {
  return statSync(`${ROOT}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function listSources() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

/** The first source that must be compiled; undefined if there is none. */
function findNewer() {
  return listSources().find((file) => readTime(file) > readTime(`dist/${file.replace(/\.ts$/, '.js')}`));
}

function isWritable() {
  try {
    accessSync(existsSync(`${ROOT}dist`) ? `${ROOT}dist` : ROOT, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why the sources cannot be compiled here; null if they can. */
function findObstacle() {
  if (!existsSync(`${ROOT}node_modules/typescript/package.json`))
    return 'the compiler is not installed ("npm ci --ignore-scripts" installs it)';
  return isWritable() ? null : 'the directory is not writable';
}

function main() {
  const newer = findNewer();
  if (newer === undefined) return 0;
  const obstacle = findObstacle();
  if (obstacle === null) {
    // The compiler writes only what it believes to be outdated: not a file that is missing, nor one whose source has only a newer date.
    rmSync(`${ROOT}dist/.tsbuildinfo-program`, { force: true });
    const args = [COMPILER, '-p', 'scripts/tsconfig.program.json'];
    return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
  }
  if (existsSync(`${ROOT}dist/adapters/cli/bin.js`)) {
    console.error(
      `note: ${newer} is newer than the compiled program, but ${obstacle}; the compiled program starts`,
    );
    return 0;
  }
  console.error(`The program has not been compiled, and ${obstacle}.`);
  return 1;
}

process.exitCode = main();
