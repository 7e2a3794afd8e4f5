import { defineCommand } from '../frame/command.ts';
import { toWord } from '../frame/options.ts';
import { print, printJson } from '../frame/output.ts';
import { checkFile, FILE_KINDS } from '../site/check-file.ts';
import { DESCRIBED_OPTIONS } from '../site/memory-site.ts';
import { readSite } from '../site/read-site.ts';

const { names: _names, ...OPTIONS } = DESCRIBED_OPTIONS;

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check a JSON file: routes, a fixture, names, a configuration or content types',
  operands: { file: { help: 'JSON file.' } },
  options: {
    ...OPTIONS,
    as: { value: 'KIND', help: `${FILE_KINDS.join(', ')}. Default: told from the members of the file.` },
    json: { help: 'Print {file, kind, valid, message}.' },
  },
  examples: [
    ['routebook validate site.json --config config.json', 'a fixture with the types of a configuration'],
  ],
  exitCodes: { 1: 'the file has a mistake' },
  async run({ operands: { file }, values, namespaces, ownPlugins }) {
    const site = await readSite({ ...values, namespaces, ownPlugins });
    const given = values.as === undefined ? undefined : toWord('--as', values.as, FILE_KINDS);
    try {
      const kind = await checkFile(file, given, site);
      if (values.json) printJson({ file, kind, valid: true });
      else print(`${file} is a valid ${kind} file.`);
      return 0;
    } catch (error) {
      if (!values.json || !(error instanceof Error)) throw error;
      printJson({ file, valid: false, message: error.message });
      return 1;
    }
  },
});
