import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS, loadCommands } from '../../../adapters/cli/commands.ts';
import { findNearest } from '../../../lib/core/did-you-mean.ts';
import { routebook, ROUTEBOOK, routebookProcess } from '../../support/routebook.ts';

const usage = suite('routebook');

/** Arguments, the exit code, and what standard error says; standard output stays empty. */
const REFUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [
    ['srve'],
    /^"srve" is not a command\. Did you mean "serve"\? The commands are serve, init, plugins, routes, /,
  ],
  [['qqqqqqqq'], /^"qqqqqqqq" is not a command\. The commands are /],
  [['routes', '--jsno'], /^Unknown option '--jsno'\. Did you mean --json\? Known options: --names, /],
  [['routes', '-x'], /^Unknown option '-x'\./],
  [['routes', 'extra'], /^Unexpected argument 'extra'\.\n$/],
  [['routes', '--namespace'], /^Option '--namespace <value>' argument missing\n$/],
  [['routes', '--content', 'cor'], /^--content "cor": must be seed or core\. Did you mean "core"\?\n$/],
  [['serve', '--prot', '1'], /^Unknown option '--prot'\. Did you mean --port\?/],
  [
    ['serve', '--trusted-origins', 'site.example'],
    /^--trusted-origins "site\.example": must be a list of origins/,
  ],
  [
    ['serve', '--names', 'neutrall'],
    /^--names "neutrall": must be neutral, wordpress, or an existing file\n$/,
  ],
  [
    ['serve', '--store', 'memory', '--workers', '2', '--port', '0'],
    /^--workers 2: the processes cannot share the store "memory"\. Use postgres/,
  ],
  [['serve', '--port', 'x'], /^--port: "x" is not a whole number from 0 to 65535\n$/],
];

for (const [args, says] of REFUSED) {
  usage(`${args.join(' ')} is refused with code 2`, async () => {
    const { code, stdout, stderr } = await routebook(args);
    assert.equal([code, stdout], [2, '']);
    assert.match(stderr, says);
    assert.not.match(stderr, /^ +at /m);
  });
}

usage('ends a process of its own with the code, and writes to its streams', async () => {
  const [wrong, version] = await Promise.all([routebookProcess(['srve']), routebookProcess(['--version'])]);
  assert.equal(
    [wrong.code, wrong.stdout, wrong.stderr.startsWith('"srve" is not a command.')],
    [2, '', true],
  );
  assert.equal([version.code, version.stderr], [0, '']);
});

usage('without a command, the list of commands is shown with code 2; with --help with code 0', async () => {
  const [bare, help, word] = await Promise.all([routebook([]), routebook(['--help']), routebook(['help'])]);
  assert.equal([bare.code, help.code, word.code], [2, 0, 0]);
  for (const name of COMMANDS.keys()) assert.match(help.stdout, new RegExp(`^  ${name} +\\S`, 'm'));
  assert.equal([bare.stdout, word.stdout], [help.stdout, help.stdout]);
});

usage('--version prints the version of the package', async () => {
  assert.equal(await routebook(['--version']), { code: 0, stdout: '0.2.0\n', stderr: '' });
});

usage('every command explains its options, operands and exit codes with --help', async () => {
  for (const command of await loadCommands()) {
    const { code, stdout } = await routebook([...command.name.split(' '), '--help']);
    assert.is(code, 0, command.name);
    assert.ok(stdout.startsWith(`routebook ${command.name} `), stdout);
    for (const name of [...Object.keys(command.options), 'help'])
      assert.match(stdout, new RegExp(`^  --${name} +`, 'm'));
    for (const name of Object.keys(command.operands))
      assert.match(stdout, new RegExp(`^  ${name.toUpperCase()} +`, 'm'));
  }
});

usage('ends quietly when the reader of its output is gone', async () => {
  const child = spawn('sh', ['-c', `"${process.execPath}" "${ROUTEBOOK}" openapi | head -c 1`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await once(child, 'close');
  assert.equal([output, errors], ['{', '']);
});

usage.run();

const commands = suite('COMMANDS');

commands('have optional operands last', async () => {
  for (const { name, operands } of await loadCommands()) {
    const flags = Object.values(operands).map(({ optional }) => optional === true);
    assert.equal(flags, flags.toSorted(), name);
  }
});

commands.run();

const nearest = suite('findNearest');

const KNOWN = ['serve', 'routes', 'user add', 'user remove', 'setting get'];
const NEAREST: readonly (readonly [word: string, nearest: string | null])[] = [
  ['serve', 'serve'],
  ['sevre', 'serve'],
  ['SERVE', 'serve'],
  ['rout', 'routes'],
  ['user', null],
  ['user ad', 'user add'],
  ['user rm', 'user add'],
  ['settings get', 'setting get'],
  ['', null],
  ['zzzzzz', null],
  ['x'.repeat(100), null],
];

for (const [word, expected] of NEAREST)
  nearest(`of ${word.slice(0, 20)} is ${String(expected)}`, () =>
    assert.is(findNearest(word, KNOWN), expected),
  );

nearest.run();
