// The script packages with which pages of WordPress list and run the abilities of their site, unmodified.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasClients, loadClient, skipClient } from '../support/clients/installed.ts';
import { toBasic, withClientServer } from '../support/clients/server.ts';

const NAME = '@wordpress/abilities';

interface ApiFetch {
  (options: { readonly path: string; readonly parse: false }): Promise<Response>;
  use(
    middleware: (options: { readonly headers?: object }, next: (options: object) => unknown) => unknown,
  ): void;
  createRootURLMiddleware(root: string): (options: object, next: (options: object) => unknown) => unknown;
}
interface Abilities {
  getAbilities(): readonly { readonly name: string }[];
  executeAbility(name: string, input: object): Promise<Readonly<Record<string, unknown>>>;
}

async function listAndRun(apiFetch: ApiFetch): Promise<void> {
  await loadClient<{ readonly ready: Promise<void> }>('@wordpress/core-abilities').ready;
  const { getAbilities, executeAbility: run } = loadClient<Abilities>(NAME);
  const response = await apiFetch({ path: '/wp-abilities/v1/abilities', parse: false });
  await response.text();
  assert.ok(getAbilities().length > 100);
  assert.is(getAbilities().length, Number(response.headers.get('X-WP-Total')));
  const { items } = await run('wp/posts-list', { per_page: 2 });
  assert.is((items as readonly unknown[]).length, 2);
  const { id, status } = await run('wp/posts-create', { title: 'Low tide', status: 'draft' });
  assert.is(status, 'draft');
  assert.is((await run('wp/posts-remove', { id, force: true }))['deleted'], true);
  const { error } = console;
  // The package prints each failure.
  console.error = () => undefined;
  const failed = await run('wp/posts-read', { id }).catch((reason: unknown) => reason);
  console.error = error;
  assert.is((failed as { readonly code?: string }).code, 'rest_post_invalid_id');
}

function abilitiesSuite(): void {
  const abilities = suite(NAME);
  abilities('lists the abilities of the site, and runs those that read, write and destroy', async () => {
    const apiFetch = loadClient<{ readonly default: ApiFetch }>('@wordpress/api-fetch').default;
    await withClientServer(
      async (origin) => {
        apiFetch.use(apiFetch.createRootURLMiddleware(`${origin}/en/wp-json/`));
        const headers = { Authorization: toBasic('editor') };
        apiFetch.use((options, next) =>
          next({ ...options, credentials: 'omit', headers: { ...options.headers, ...headers } }),
        );
        await listAndRun(apiFetch);
      },
      ['--plugins', 'abilities'],
    );
  });
  abilities.run();
}

if (hasClients()) abilitiesSuite();
else skipClient(NAME);
