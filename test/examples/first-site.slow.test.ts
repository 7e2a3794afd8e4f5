import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook, ROUTEBOOK } from '../support/routebook.ts';
import { PROJECT } from '../support/sources.ts';
import { startNode } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

const PASSWORD = 'a long password';

/** The blocks of a page that a reader types, in order. */
const listBlocks = (file: string): readonly string[] =>
  [...readFileSync(`${PROJECT}docs/${file}`, 'utf8').matchAll(/^```bash\n([^]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );

/** The arguments of the only command of a block that begins with this text. */
function findCommand(block: string | undefined, start: string): readonly string[] {
  const lines = (block ?? '').split('\n').filter((line) => line.startsWith(start));
  assert.is(lines.length, 1, start);
  return (lines[0] ?? '').split(' ').slice(2);
}

async function runShell(script: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number];
  assert.is(code, 0, output);
  return output;
}

const pages = suite('pages for owners');

pages('docs/first-site.md leads from nothing to a French post by its words alone', () =>
  inFolder(async (folder) => {
    const [install, start, ...rest] = listBlocks('first-site.md');
    const made = await routebook(findCommand(install, 'npx routebook init'), {
      cwd: folder,
      input: `\n${PASSWORD}\n`,
    });
    assert.equal([made.code, made.stdout.split('\n')[1]], [0, 'Start it:    routebook serve'], made.stderr);
    const serve = [...findCommand(start, 'npx routebook serve'), '--port', '0'];
    const running = await startNode('first site', [ROUTEBOOK, ...serve], folder);
    try {
      const output = await runShell(
        rest.join('\n').replaceAll('http://127.0.0.1:8787', running.origin).replace('THE-PASSWORD', PASSWORD),
        folder,
      );
      const posts = (await (await fetch(`${running.origin}/fr/cms-json/cms/v2/posts`)).json()) as readonly {
        readonly slug: string;
        readonly title: { readonly rendered: string };
      }[];
      assert.equal(
        posts.map(({ slug, title }) => [slug, title.rendered]),
        [['la-bibliotheque', 'La bibliothèque']],
        output,
      );
      const page = await fetch(`${running.origin}/fr/la-bibliotheque/`);
      assert.is(page.status, 200);
      assert.match(await page.text(), /La bibliothèque est ouverte/);
    } finally {
      await running.stop();
    }
    const [upgrade] = listBlocks('upgrade.md');
    const backup = await routebook(findCommand(upgrade, 'npx routebook backup'), { cwd: folder });
    assert.is(backup.code, 0, backup.stderr);
    const check = await routebook(findCommand(upgrade, 'npx routebook check'), { cwd: folder });
    assert.equal([check.code, check.stdout], [0, 'Nothing was found.\n'], check.stderr);
  }),
);

pages.run();
