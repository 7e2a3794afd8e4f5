// What programs on a command line need, and the command `routebook` itself as a function.
export {
  describeOptions,
  readOptions,
  toCount,
  toOrigins,
  toSiteUrl,
  type CliOption,
  type CliOptions,
  type CliValues,
} from './cli/frame/options.ts';
export { listen, onStop, readPort } from './cli/serve/listen.ts';
export { runRoutebook } from './cli/main.ts';
export type { RoutebookOptions } from './cli/frame/command.ts';
