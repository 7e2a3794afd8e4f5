import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { suite } from 'uvu';

/** Where the Debian package `chromium` puts its program. */
const CHROMIUM = '/usr/bin/chromium';

export const hasBrowser = (): boolean => existsSync(CHROMIUM);

/** Reports a suite that needs a browser where there is none. */
export function skipBrowser(name: string): void {
  const test = suite(name);
  test('SKIPPED: Chromium is not installed', () => {
    console.error(`SKIPPED ${name}: there is no ${CHROMIUM}, the program of the Debian package chromium`);
  });
  test.run();
}

/** What a browser did and complained about while it showed a page, and others in its context. */
export interface Watched {
  readonly page: Page;
  /** Origins of all requests. */
  readonly origins: ReadonlySet<string>;
  /** Errors of scripts, of the console, and violations of the policy. */
  readonly faults: readonly string[];
}

/** A name that only the browser knows, so that no page can treat the address as local. */
export const HOST_NAME = 'site.test';

/** Runs with a page of a headless browser, which resolves `HOST_NAME` to this machine. */
export async function withBrowser(run: (watched: Watched) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [`--host-resolver-rules=MAP ${HOST_NAME} 127.0.0.1`],
  });
  try {
    const context = await browser.newContext();
    const [origins, faults] = [new Set<string>(), [] as string[]];
    context.on('request', (request) => origins.add(new URL(request.url()).origin));
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`policy: ${violatedDirective} ${blockedURI}`))",
    );
    await run({ page: await context.newPage(), origins, faults });
  } finally {
    await browser.close();
  }
}
