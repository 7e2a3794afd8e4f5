import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { suite } from 'uvu';
import { PROJECT } from '../sources.ts';

/** The folder whose package.json names the clients that are too large for the project's own packages. */
const FOLDER = `${PROJECT}test/clients`;

const requireFrom = createRequire(`${FOLDER}/package.json`);

/** Whether `npm run clients` has installed the clients. */
export const hasClients = (): boolean => existsSync(`${FOLDER}/node_modules/.package-lock.json`);

/** Reports a suite that needs a client where the clients are not installed. */
export function skipClient(name: string): void {
  const test = suite(name);
  test('SKIPPED: the clients are not installed', () => {
    console.error(`SKIPPED ${name}: npm run clients installs test/clients and runs these tests`);
  });
  test.run();
}

/** A package of the folder, with the types that the caller expects. */
export function loadClient<T>(specifier: string): T {
  return requireFrom(specifier) as T;
}

interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}
interface PluginBuild {
  onResolve(filter: object, callback: (found: { readonly path: string }) => object | undefined): void;
  onLoad(filter: object, callback: (found: { readonly path: string }) => object): void;
}

/** Modules that exist only while a framework builds a site. */
function createVirtualModules(modules: ReadonlyMap<string, string>): object {
  return {
    name: 'virtual-modules',
    setup: ({ onResolve, onLoad }: PluginBuild) => {
      onResolve({ filter: /^\w+:/ }, ({ path }) =>
        modules.has(path) ? { path, namespace: 'virtual' } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => ({
        contents: modules.get(path),
        resolveDir: FOLDER,
        loader: 'ts',
      }));
    },
  };
}

/** What clients that are published as TypeScript export. `code`: a module that exports it; `modules`: the framework's own, by name. */
export async function compileClient<T>(
  code: string,
  modules: ReadonlyMap<string, string> = new Map(),
): Promise<T> {
  const { outputFiles } = await loadClient<Esbuild>('esbuild').build({
    stdin: { contents: code, resolveDir: FOLDER, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    loader: { '.js': 'jsx' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    plugins: [createVirtualModules(modules)],
  });
  const module = { exports: {} };
  // eslint-disable-next-line no-new-func -- The bundle is a CommonJS module in memory.
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    requireFrom,
  );
  return module.exports as T;
}
