import { OBJECT, type OptionRules } from '../../../lib/core/check-options.ts';
import type { Namespace } from '../../../lib/index.ts';
import type { Plugin } from '../../../registry/plugin.ts';
import { readArguments, UsageError, type CliOptions, type CliValues } from './options.ts';

/** An argument that is not an option, such as the FILE of `validate FILE`. */
interface CliOperand {
  readonly help: string;
  readonly optional?: true;
}

type CliOperands = Readonly<Record<string, CliOperand>>;

/** The operands by their names in lower case: `FILE` is `operands.file`. */
type OperandValues<O extends CliOperands> = {
  readonly [K in keyof O]: O[K] extends { readonly optional: true } ? string | undefined : string;
};

/** What a program adds to the command that it runs. */
export interface RoutebookOptions {
  /** Namespaces of the program, which follow those of the registry in every command that serves or describes the routes of a site. Default: none. */
  readonly namespaces?: readonly Namespace[];
  /** Plugins of the program, beside those that the arguments name. Default: none. */
  readonly plugins?: readonly Plugin[];
}

/** A namespace or a plugin. Their own checks, which load the registry, follow when the command opens a site. */
const hasDescriptor = (value: unknown): boolean =>
  OBJECT.fits(value) && OBJECT.fits((value as Partial<Namespace>).descriptor);

export const ROUTEBOOK_OPTIONS: OptionRules = {
  namespaces: {
    wanted: 'a list of namespaces, as defineNamespace returns them',
    fits: (value: unknown) => Array.isArray(value) && value.every(hasDescriptor),
  },
  plugins: {
    wanted: 'a list of plugins, as definePlugin returns them',
    fits: (value: unknown) => Array.isArray(value) && value.every(hasDescriptor),
  },
} satisfies Readonly<Record<keyof RoutebookOptions, unknown>>;

/** What the program that runs a command adds to its site. */
export interface Additions {
  readonly namespaces: readonly Namespace[];
  readonly ownPlugins: readonly Plugin[];
}

export const toAdditions = ({ namespaces = [], plugins = [] }: RoutebookOptions): Additions => ({
  namespaces,
  ownPlugins: plugins,
});

/** What a command gets. */
interface Invocation<T extends CliOptions, O extends CliOperands> {
  readonly values: CliValues<T>;
  readonly operands: OperandValues<O>;
  readonly added: Additions;
  /** Loads all commands, for one that is about them. */
  readonly loadCommands: LoadCommands;
}

/** A command as it is written: data, and the function that runs it. */
interface CommandDefinition<T extends CliOptions, O extends CliOperands> {
  /** Further paragraphs of the help. */
  readonly description?: readonly string[];
  /** In the order in which they are typed; optional ones last. */
  readonly operands: O;
  readonly options: T;
  /** Command lines with what they do. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Other exit codes than 0 (success), 1 (failure) and 2 (wrong arguments), and what 1 means here. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Resolves with the exit code; nothing for 0. An error ends the program with its message and code 1. */
  run(invocation: Invocation<T, O>): Promise<number | void>;
}

/** A command as its file makes it. */
export interface CommandBody extends Omit<CommandDefinition<CliOptions, CliOperands>, 'run'> {
  /** Help that depends on the arguments. Default: that of the definition. */
  readonly help?: (args: readonly string[], options?: RoutebookOptions) => Promise<string | null>;
  /** @throws UsageError if the arguments do not fit */
  start(args: readonly string[], options: RoutebookOptions, loadCommands: LoadCommands): Promise<number>;
}

/** A command as the program calls it. */
export interface Command extends CommandBody {
  /** As it is typed: `routes`, or `user add` for one of a group. */
  readonly name: string;
  /** One line in the list of commands, without a full stop. */
  readonly summary: string;
}

/** Loads all commands, in their order. */
type LoadCommands = () => Promise<readonly Command[]>;

/** @throws UsageError for a missing or an additional operand */
function readOperands<O extends CliOperands>(operands: O, given: readonly string[]): OperandValues<O> {
  const names = Object.keys(operands);
  const missing = Object.entries(operands).find(
    ([, operand], index) => operand.optional !== true && given[index] === undefined,
  );
  if (missing !== undefined)
    throw new UsageError(`${missing[0].toUpperCase()} is missing: ${missing[1].help}`);
  const extra = given[names.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  return Object.fromEntries(names.map((name, index) => [name, given[index]])) as OperandValues<O>;
}

/** Makes a command of its definition. Its types follow from the options and operands. */
export function defineCommand<const T extends CliOptions, const O extends CliOperands>(
  definition: CommandDefinition<T, O>,
): CommandBody {
  return {
    ...definition,
    async start(args, options, loadCommands) {
      const { values, rest } = readArguments(definition.options, args);
      const operands = readOperands(definition.operands, rest);
      const added = toAdditions(options);
      return (await definition.run({ values, operands, added, loadCommands })) ?? 0;
    },
  };
}
