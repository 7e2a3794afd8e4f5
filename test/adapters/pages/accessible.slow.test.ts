import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasBrowser, skipBrowser, withBrowser } from '../../support/chromium.ts';
import { startNode } from '../../support/start-program.ts';

const NAME = 'the pages of the server in a browser';
/** One of each kind, in each language of the demo. */
const PATHS = [
  '/en/',
  '/fr/',
  '/en/page/2/',
  '/en/the-dockers-pie/',
  '/en/nineteen-questions-for-the-harbour-pilot/',
  '/en/category/food-and-drink/',
  '/en/tag/winter/',
  '/en/author/contributor/',
  '/en/?s=harbour',
  '/en/?s=nothing-has-this',
  '/en/there-is-no-such-page/',
  '/fr/?s=port',
  '/fr/il-n-y-a-rien/',
  '/en/secret/',
  '/authorize-application?app_name=Reader',
] as const;
const MISSING: ReadonlySet<string> = new Set(['/en/there-is-no-such-page/', '/fr/il-n-y-a-rien/']);
const WIDTHS = [390, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** A folder for pictures of the pages, for people. */
const { ROUTEBOOK_SCREENSHOTS: screenshots } = process.env;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

function run(): void {
  const test = suite(NAME);
  test('have no finding of axe-core at two widths, light and dark, and need only their pictures', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
    const program = await startNode('server', [
      'dist/adapters/cli/bin.js',
      'serve',
      '--port',
      '0',
      '--store',
      'memory',
      '--content',
      'core',
    ]);
    await fetch(`${program.origin}/en/cms-json/cms/v2/posts`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
      },
      body: JSON.stringify({ title: 'Secret', content: 'hidden', status: 'publish', password: 'x' }),
    });
    try {
      await withBrowser(async ({ page, faults }) => {
        const kinds = new Set<string>();
        page.on('request', (request) => kinds.add(request.resourceType()));
        const found: unknown[] = [];
        for (const colorScheme of SCHEMES)
          for (const width of WIDTHS)
            for (const path of PATHS) {
              await page.emulateMedia({ colorScheme });
              await page.setViewportSize({ width, height: 900 });
              const answer = await page.goto(`${program.origin}${path}`);
              assert.is(answer?.status(), MISSING.has(path) ? 404 : 200, path);
              if (screenshots !== undefined)
                await page.screenshot({
                  path: `${screenshots}/${colorScheme}-${width}-${path.replaceAll(/\W+/g, '_')}.png`,
                });
              assert.ok(
                await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
                `${path} is wider than ${width}`,
              );
              const { violations } = (await page.evaluate(`${axe}\naxe.run()`)) as {
                violations: readonly Finding[];
              };
              for (const { id, nodes } of violations)
                found.push([path, width, colorScheme, id, nodes[0]?.html, nodes[0]?.failureSummary]);
            }
        assert.equal(found, []);
        // The browser tells each 404 as an error.
        assert.equal(
          faults.filter((fault) => !fault.includes('status of 404')),
          [],
        );
        assert.equal(
          [...kinds].filter((kind) => kind !== 'document' && kind !== 'image'),
          [],
        );
      });
    } finally {
      await program.stop();
    }
  });
  test.run();
}

if (hasBrowser()) run();
else skipBrowser(NAME);
