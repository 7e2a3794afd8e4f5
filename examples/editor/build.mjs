// Bundles the editor into build/, which `routebook serve --editor build` sends.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * The policy of `/edit/` allows scripts in files alone, so that nothing in a post can run beside the password. The packages write two
 * scripts into frames: what is found in a module becomes a file. `body`: the text of the script, if the module has it elsewhere.
 */
const WRITTEN_SCRIPTS = [
  {
    module: /block-editor[\\/]build-module[\\/]components[\\/]iframe[\\/]index\.mjs$/,
    found: /<script>(document\.currentScript\.parentElement\.remove\(\))<\/script>/,
    file: 'empty.js',
    now: '<script src=/edit/empty.js></script>',
  },
  {
    module: /components[\\/]build-module[\\/]sandbox[\\/]index\.mjs$/,
    found: /dangerouslySetInnerHTML: \{\s*__html: `\(\$\{observeAndResizeJS\.toString\(\)\}\)\(\);`\s*\}/,
    body: /var observeAndResizeJS = (function\(\) \{[\s\S]*?\n\});/,
    file: 'measure.js',
    now: 'src: "/edit/measure.js"',
  },
];

const scriptsToFiles = {
  name: 'scripts-to-files',
  setup({ onLoad }) {
    for (const { module, found, body = found, file, now } of WRITTEN_SCRIPTS)
      onLoad({ filter: module }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const [, script] = body.exec(text) ?? [];
        if (script === undefined || !found.test(text)) throw new Error(`${path} has changed`);
        await writeFile(`build/${file}`, `(${script})${body === found ? '' : '()'};\n`);
        return { contents: text.replace(found, now), loader: 'js' };
      });
  },
};

/** The package is older than modules, and a module gets the object of its exports where it asks for the default one. */
const defaultExport = {
  name: 'default-export',
  setup({ onLoad }) {
    onLoad({ filter: /react-autosize-textarea[\\/]lib[\\/]index\.js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nmodule.exports = exports.default;`,
      loader: 'js',
    }));
  },
};

await rm('build', { recursive: true, force: true });
await mkdir('build');
await build({
  entryPoints: { app: 'src/main.jsx', page: 'src/page.css', canvas: 'src/canvas.css' },
  outdir: 'build',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  // Some packages name too few of their files that have effects.
  ignoreAnnotations: true,
  loader: { '.svg': 'dataurl' },
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.IS_GUTENBERG_PLUGIN': 'false',
    'globalThis.IS_GUTENBERG_PLUGIN': 'false',
    'globalThis.IS_WORDPRESS_CORE': 'true',
    'globalThis.SCRIPT_DEBUG': 'false',
  },
  plugins: [scriptsToFiles, defaultExport],
});
await writeFile('build/index.html', await readFile('src/index.html'));
