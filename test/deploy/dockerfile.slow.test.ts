import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeRoot, runInRoot, type Manner } from '../support/image/image-root.ts';
import { readDockerfile, type Instruction, type Stage } from '../support/image/read-dockerfile.ts';
import { isLong } from '../support/long-mode.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

const STAGES = readDockerfile(readFileSync(`${PROJECT}deploy/Dockerfile`, 'utf8'));
const IGNORED = new Set(
  readFileSync(`${PROJECT}.dockerignore`, 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
);

/** A stage while it is built. */
interface Built {
  readonly root: string;
  cwd: string;
  user: string;
  readonly env: Record<string, string>;
  readonly seen: Map<string, string>;
}
type Step = (stage: Built, rest: string, roots: ReadonlyMap<string, string>) => void;

/** Copies files of the context or of another stage, as COPY does. */
function copy({ root, cwd }: Built, rest: string, roots: ReadonlyMap<string, string>): void {
  const words = rest.split(/\s+/);
  const stage = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined;
  const source = stage === undefined ? PROJECT : (roots.get(stage) ?? '');
  const target = join(root, resolve(cwd, words.pop() ?? ''));
  mkdirSync(target, { recursive: true });
  for (const word of words) {
    const from = join(source, word);
    const isWhole = word === '.' || word.endsWith('/');
    for (const name of isWhole ? readdirSync(from) : [basename(from)]) {
      if (stage !== undefined || !IGNORED.has(name))
        cpSync(isWhole ? join(from, name) : from, join(target, name), { recursive: true });
    }
  }
}

const STEPS: Readonly<Record<string, Step>> = {
  WORKDIR: (stage, rest) => {
    stage.cwd = rest;
  },
  ENV: (stage, rest) => {
    const [name = '', value = ''] = rest.split('=');
    stage.env[name] = value;
  },
  USER: (stage, rest) => {
    stage.user = rest;
  },
  COPY: copy,
  RUN: ({ root, cwd, env }, rest) => {
    const { status, text } = runInRoot(root, rest, { cwd, env });
    assert.is(status, 0, `RUN ${rest}\n${text}`);
  },
};

function build({ from, instructions }: Stage, root: string, roots: ReadonlyMap<string, string>): Built {
  const [, version = ''] = /^node:(\d+)-slim$/.exec(from) ?? [];
  const { stdout } = spawnSync('npx', ['-y', `node@${version}`, '-p', 'process.execPath'], {
    encoding: 'utf8',
  });
  makeRoot(root, stdout.trim());
  const stage: Built = { root, cwd: '/', user: 'root', env: {}, seen: new Map() };
  for (const { word, rest } of instructions) {
    stage.seen.set(word, rest);
    STEPS[word]?.(stage, rest, roots);
  }
  return stage;
}

const listOf = (stage: Built, word: string): readonly string[] =>
  JSON.parse(/\[.*\]$/.exec(stage.seen.get(word) ?? '')?.[0] ?? '[]') as readonly string[];
const toCommand = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

const dockerfile = suite('deploy/Dockerfile');

dockerfile('has only instructions that are known here, and names no user root at its end', () => {
  const known = new Set([...Object.keys(STEPS), 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']);
  const words = (stage: Stage | undefined): readonly Instruction[] => stage?.instructions ?? [];
  assert.equal(
    STAGES.flatMap(words).filter(({ word }) => !known.has(word)),
    [],
  );
  assert.equal(
    words(STAGES.at(-1))
      .filter(({ word }) => word === 'USER')
      .map(({ rest }) => rest),
    ['node'],
  );
});

const obstacle = [
  [!isLong, 'only in long mode'],
  [process.getuid?.() !== 0, 'only root can mount'],
  [spawnSync('unshare', ['--mount', '--net', 'true']).status !== 0, 'unshare cannot make namespaces'],
].find(([isThere]) => isThere)?.[1];

if (obstacle === undefined) {
  dockerfile('builds by its steps, and serves as a user without rights from a read-only root', async () => {
    await inFolder(async (folder) => {
      const roots = new Map<string, string>();
      const built = STAGES.map((stage, index) => {
        const root = join(folder, `stage-${index}`);
        roots.set(stage.name, root);
        return build(stage, root, roots);
      });
      const [final] = built.slice(-1);
      assert.ok(final);
      const manner: Manner = { cwd: final.cwd, env: { ...final.env, HOME: '/home/node' }, isFinal: true };
      const health = toCommand(listOf(final, 'HEALTHCHECK'));
      const probe =
        "fetch('http://127.0.0.1:8787/en/cms-json/cms/v2/posts').then(async (response) => console.log('posts', response.status, await response.text()))";
      const { text } = runInRoot(
        final.root,
        [
          'id -u',
          'touch /srv/x || true',
          'touch /usr/x || true',
          'touch /data/writable',
          `${toCommand([...listOf(final, 'ENTRYPOINT'), ...listOf(final, 'CMD')])} & SERVER=$!`,
          `for n in $(seq 60); do ${health} && break; sleep 1; done; ${health} && echo healthy`,
          `node -e ${toCommand([probe])}`,
          'kill -TERM $SERVER; wait $SERVER; echo ended $?',
        ].join('\n'),
        manner,
      );
      assert.match(text, /^1000$/m, text);
      assert.is(text.match(/touch: .*Read-only file system/g)?.length, 2, text);
      for (const line of [/^listening on /m, /^healthy$/m, /^posts 200 \[\]$/m, /^ended 0$/m])
        assert.match(text, line, text);
      assert.not.match(text, /\/data\/writable/);
      assert.equal(readdirSync(join(final.root, 'data')).includes('site.db'), true, text);
    });
  });
} else {
  dockerfile(`SKIPPED: ${obstacle}`, () => {
    console.error(`SKIPPED deploy/Dockerfile by its steps: ${obstacle}`);
  });
}

dockerfile.run();
