import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Mounted from this machine: they stand for the base image, and only their own paths are writable. */
const SYSTEM = ['usr', 'etc', 'dev', 'proc'];
const LINKS = ['bin', 'sbin', 'lib', 'lib64'];
/** The user of the official images of Node. */
const NODE_USER = 'node:x:1000:1000::/home/node:/bin/sh\n';
const NODE_GROUP = 'node:x:1000:\n';

/** How a command runs in a root. `env`: as set by ENV. `isFinal`: as a container with --read-only: another user, no rights, a network of its own. */
export interface Manner {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isFinal?: boolean;
}

export interface Ran {
  readonly status: number | null;
  readonly text: string;
}

/** Makes the root directory of a stage, with the Node of its base image and the npm of this machine. */
export function makeRoot(root: string, node: string): void {
  for (const folder of [...SYSTEM, 'tmp', 'root', 'opt/node/bin', 'etc-of-image'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const link of LINKS) symlinkSync(`usr/${link}`, join(root, link));
  copyFileSync(node, join(root, 'opt/node/bin/node'));
  writeFileSync(join(root, 'etc-of-image/passwd'), readFileSync('/etc/passwd', 'utf8') + NODE_USER);
  writeFileSync(join(root, 'etc-of-image/group'), readFileSync('/etc/group', 'utf8') + NODE_GROUP);
  const settings = spawnSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).stdout.trim();
  if (existsSync(settings)) copyFileSync(settings, join(root, 'root/.npmrc'));
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a container engine does before it starts a command: mounts, and for the final command a read-only root with a volume and a network. */
function toScript(root: string, command: string, { cwd, isFinal = false }: Manner): string {
  const mounts = [
    ...['usr', 'etc', 'dev'].map((name) => `mount --rbind /${name} ${quote(join(root, name))}`),
    `mount -t proc proc ${quote(join(root, 'proc'))}`,
    ...['passwd', 'group'].map(
      (name) => `mount --bind ${quote(join(root, 'etc-of-image', name))} ${quote(join(root, 'etc', name))}`,
    ),
    `mount -o remount,ro,bind ${quote(join(root, 'usr'))}`,
  ];
  const sealed = [
    `mount --bind ${quote(root)} ${quote(root)}`,
    ...mounts,
    `mount --bind ${quote(join(root, 'data'))} ${quote(join(root, 'data'))}`,
    `mount -t tmpfs tmpfs ${quote(join(root, 'tmp'))}`,
    `mount -o remount,ro,bind ${quote(root)}`,
    'ip link set lo up',
  ];
  const rights = isFinal
    ? 'setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all '
    : '';
  return [
    'set -e',
    ...(isFinal ? sealed : mounts),
    `exec chroot ${quote(root)} ${rights}sh -c ${quote(`cd ${quote(cwd)} && ${command}`)}`,
  ].join('\n');
}

/** Runs a shell command in the root. Nothing that it starts outlives it, and its mounts end with it. */
export function runInRoot(root: string, command: string, manner: Manner): Ran {
  const spaces = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    ...(manner.isFinal === true ? ['--net'] : []),
  ];
  const env = {
    HOME: '/root',
    PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin',
    ...pickEnv(),
    ...manner.env,
  };
  mkdirSync(join(root, manner.cwd), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [...spaces, 'sh', '-c', toScript(root, command, manner)],
    { encoding: 'utf8', env, cwd: dirname(root), timeout: 300_000 },
  );
  return { status, text: `${stdout}${stderr}` };
}

/** How this machine reaches its registry. A container gets the same from its engine. */
function pickEnv(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(?:NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name) && value !== undefined
        ? [[name, value]]
        : [],
    ),
  );
}
