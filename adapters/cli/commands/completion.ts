import { groupBy } from '../../../lib/core/objects.ts';
import { type Command, defineCommand } from '../frame/command.ts';
import { toWord } from '../frame/options.ts';
import { print } from '../frame/output.ts';

const SHELLS = ['bash', 'zsh'] as const;

/** A pattern of the shell for each command, and its options: `"user add"*) words="--role --email"`. */
const toCase = ({ name, options }: Command): string =>
  `    "${name} "*) words="${[...Object.keys(options), 'help'].map((option) => `--${option}`).join(' ')}" ;;`;

/** The actions are those of the site of the working directory, so the command is asked for their names and options. */
const ACTIONS = [
  `    "call ") words="$(routebook call 2>/dev/null | cut -d ' ' -f 1)" ;;`,
  `    "call "[!-]*) words="$(routebook call "\${COMP_WORDS[2]}" --help 2>/dev/null | sed -n 's/^  *\\(--[^ ]*\\).*/\\1/p')" ;;`,
];

/** The function that both shells call. zsh runs it through its own emulation of the completions of bash. */
function toFunction(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const groups = groupBy(names, (name) => name.split(' ')[0] ?? '');
  const inGroups = [...groups]
    .filter(([first, those]) => those[0] !== first)
    .map(
      ([first, those]) =>
        `    "${first} ") words="${those.map((name) => name.slice(first.length + 1)).join(' ')}" ;;`,
    );
  return [
    '_routebook() {',
    '  local typed words current',
    '  current="${COMP_WORDS[COMP_CWORD]}"',
    '  typed="${COMP_WORDS[*]:1:COMP_CWORD-1} "',
    '  case "$typed" in',
    `    " ") words="${[...groups.keys()].join(' ')}" ;;`,
    ...inGroups,
    ...ACTIONS,
    ...commands.map(toCase),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  [ "${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))',
    '}',
    'complete -F _routebook routebook',
  ].join('\n');
}

export const completion = defineCommand({
  operands: { shell: { help: `${SHELLS.join(' or ')}.` } },
  options: {},
  examples: [
    ['source <(routebook completion bash)', 'in ~/.bashrc'],
    ['source <(routebook completion zsh)', 'in ~/.zshrc, after compinit'],
  ],
  async run({ operands: { shell }, loadCommands }) {
    const kind = toWord('SHELL', shell, SHELLS);
    const script = toFunction(await loadCommands());
    print(kind === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script);
  },
});
