import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, type IConfigFile } from '@microsoft/api-extractor';
import { PROJECT } from '../sources.ts';

/** A declaration of the model that api-extractor writes. */
export interface Declaration {
  readonly kind: string;
  readonly name?: string;
  /** The comment as written; '' if there is none. */
  readonly docComment?: string;
  readonly excerptTokens?: readonly { readonly text: string }[];
  readonly fileUrlPath?: string;
  readonly isExported?: boolean;
  readonly members?: readonly Declaration[];
}

/** An entry of package.json `exports` with what it exports, and what those declarations use. */
export interface Entry {
  /** Name to import from: `routebook/registry`. */
  readonly module: string;
  readonly declarations: readonly Declaration[];
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
}

const TYPESCRIPT = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};
const SILENT = { default: { logLevel: 'none' } } as const;

function toConfig(types: string, model: string): IConfigFile {
  return {
    projectFolder: PROJECT,
    mainEntryPointFilePath: join(PROJECT, types),
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: { compilerOptions: TYPESCRIPT, files: [join(PROJECT, types)] },
      skipLibCheck: true,
    },
    apiReport: { enabled: false, reportFileName: 'unused' },
    docModel: { enabled: true, apiJsonFilePath: model, includeForgottenExports: true },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      extractorMessageReporting: SILENT,
      tsdocMessageReporting: SILENT,
    },
  } as unknown as IConfigFile;
}

/** Reads the declarations of all entries from what was compiled. @throws Error if one of them does not compile on its own */
export function readEntries(): readonly Entry[] {
  const { version, exports } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
  const folder = mkdtempSync(join(tmpdir(), 'routebook-reference-'));
  const paths = Object.values(exports).map(({ types }) => join(PROJECT, types));
  let compilerState: CompilerState | undefined;
  try {
    return Object.entries(exports).map(([entry, { types }]) => {
      const model = join(folder, 'entry.api.json');
      const config = ExtractorConfig.prepare({
        configObject: toConfig(types, model),
        configObjectFullPath: undefined,
        packageJsonFullPath: join(PROJECT, 'package.json'),
        packageJson: { name: 'routebook', version },
      });
      compilerState ??= CompilerState.create(config, { additionalEntryPoints: paths });
      const faults: string[] = [];
      const { succeeded } = Extractor.invoke(config, {
        compilerState,
        localBuild: true,
        messageCallback: (message) => {
          if (message.logLevel === 'error') faults.push(message.text);
          message.handled = true;
        },
      });
      if (!succeeded) throw new Error(`${entry} cannot be read: ${faults.join('; ')}`);
      const {
        members: [point],
      } = JSON.parse(readFileSync(model, 'utf8')) as { readonly members: readonly Declaration[] };
      return { module: entry.replace('.', 'routebook'), declarations: point?.members ?? [] };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
