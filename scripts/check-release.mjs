// Refuses a release whose tag, package.json and CHANGELOG.md do not name the same version: `node scripts/check-release.mjs v0.2.0`.
import { readFileSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);
const read = (file) => readFileSync(new URL(file, ROOT), 'utf8');

const [tag = ''] = process.argv.slice(2);
const { version, repository } = JSON.parse(read('package.json'));
const faults = [
  tag === `v${version}` ? null : `the tag is "${tag}", and package.json says ${version}`,
  read('CHANGELOG.md')
    .split('\n')
    .some((line) => line.startsWith('## ') && line.includes(version))
    ? null
    : `CHANGELOG.md has no heading with ${version}`,
  repository === undefined ? 'package.json has no "repository", without which npm refuses provenance' : null,
].filter((fault) => fault !== null);
for (const fault of faults) console.error(`check-release: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
