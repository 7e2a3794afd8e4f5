import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { collections } from '../../registry/index.ts';
import { fixture } from '../conformance/recorded.ts';
import { hasBrowser, HOST_NAME, skipBrowser, withBrowser, type Watched } from '../support/chromium.ts';
import { openHttpSite } from '../support/http-site.ts';

const NAME = 'the reference page in a browser';

interface Shown extends Watched {
  /** Address of the API. */
  readonly api: string;
}

/** Shows the page of a site, and checks that all of it came from the site and nothing was refused. */
async function showReference(query: string, run: (shown: Shown) => Promise<void>): Promise<void> {
  const site = await openHttpSite(fixture, {
    store: createMemoryStore(collections),
    openapi: true,
    bearer: () => null,
  });
  const origin = `http://${HOST_NAME}:${new URL(site.origin).port}`;
  try {
    await withBrowser(async (watched) => {
      const { page, origins, faults } = watched;
      page.setDefaultTimeout(120_000);
      await page.goto(`${origin}/en/cms-json/reference${query}`);
      await page.locator('.opblock').first().waitFor();
      await run({ ...watched, api: `${site.origin}/en/cms-json` });
      assert.equal(
        [...origins].filter((each) => each !== 'null'),
        [origin],
      );
      assert.equal(faults, []);
    });
  } finally {
    await site.close();
  }
}

/** Presses the tab key until the element with the focus fits, as somebody without a mouse does. */
async function tabTo(page: Page, fits: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(`((focused) => ${fits})(document.activeElement)`)) === true) return;
  }
  assert.unreachable(`no element on which ${fits} gets the focus`);
}

function run(): void {
  const reference = suite(NAME);

  reference('lists every operation of the document', () =>
    showReference('', async ({ page, api }) => {
      const { paths } = (await (await fetch(`${api}/openapi.json`)).json()) as {
        readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
      };
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { summary }]) => `${method.toUpperCase()} ${path} ${summary}`),
      );
      const shown = await page
        .locator('.opblock-summary')
        .evaluateAll((rows) =>
          rows.map((row) =>
            ['.opblock-summary-method', '.opblock-summary-path', '.opblock-summary-description']
              .map((part) => row.querySelector(part)?.textContent?.replaceAll('\u200B', '') ?? '')
              .join(' '),
          ),
        );
      assert.is(operations.length, 123);
      assert.equal(shown.toSorted(), operations.toSorted());
    }),
  );

  reference('opens an operation, sends a request and shows the response, by keyboard alone', () =>
    showReference('?namespace=cms/v2', async ({ page, api }) => {
      const post = (await (await fetch(`${api}/cms/v2/posts/101`)).json()) as { readonly link: string };
      const button = (text: string): string =>
        `focused.tagName === 'BUTTON' && focused.textContent.trim() === ${JSON.stringify(text)}`;
      await tabTo(
        page,
        "focused.matches('.opblock-summary-control') && focused.textContent.includes('Get a post')",
      );
      await page.keyboard.press('Enter');
      await page.locator('.opblock.is-open').waitFor();
      await tabTo(page, button('Try it out'));
      await page.keyboard.press('Enter');
      await tabTo(page, "focused.closest('tr')?.dataset.paramName === 'id'");
      await page.keyboard.type('101');
      await tabTo(page, button('Execute'));
      await page.keyboard.press('Enter');
      const response = page.locator('.live-responses-table .response');
      await response.waitFor();
      assert.match(await response.locator('.response-col_status').innerText(), /^200/);
      assert.match(await response.locator('.response-col_description').innerText(), post.link);
    }),
  );

  reference.run();
}

if (hasBrowser()) run();
else skipBrowser(NAME);
