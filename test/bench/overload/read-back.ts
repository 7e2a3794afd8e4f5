import { Connection } from '../load/connection.ts';
import { toMessage } from '../load/run-load.ts';
import { AS_ADMIN } from './login.ts';
import { POSTS, type Written } from './mix.ts';
import type { Outcome } from './open-loop.ts';

export interface Update extends Written {
  readonly outcome: Outcome;
}

/** Number of updates and of those that were applied, by the outcome that the sender saw. */
export interface Found {
  readonly acknowledged: number;
  readonly acknowledgedFound: number;
  readonly refused: number;
  readonly refusedFound: number;
}

interface Shown {
  readonly title: { readonly raw: string };
}

const PER_PAGE = 100;

/** All titles of a post. Every update leaves a revision. */
async function readTitles(connection: Connection, post: number): Promise<ReadonlySet<string>> {
  const titles = new Set<string>();
  for (let page = 1; ; page += 1) {
    const target = `${POSTS}/${post}/revisions?context=edit&per_page=${PER_PAGE}&page=${page}&_fields=title`;
    const { status, body } = await connection.send(toMessage({ target, headers: AS_ADMIN }), {
      wantsBody: true,
    });
    if (status !== 200)
      throw new Error(`the revisions of post ${post} returned ${status}: ${body.slice(0, 200)}`);
    const shown = JSON.parse(body) as readonly Shown[];
    for (const { title } of shown) titles.add(title.raw);
    if (shown.length < PER_PAGE) return titles;
  }
}

/** Looks for the title of each update among the revisions of its post. */
export async function readBack({
  port,
  updates,
}: {
  readonly port: number;
  readonly updates: readonly Update[];
}): Promise<Found> {
  const connection = new Connection(port);
  const titles = new Map<number, ReadonlySet<string>>();
  for (const { post } of updates) if (!titles.has(post)) titles.set(post, await readTitles(connection, post));
  connection.close();
  const acknowledged = updates.filter(({ outcome }) => outcome === 'ok');
  const refused = updates.filter(({ outcome }) => outcome === 'refused');
  const countFound = (list: readonly Update[]): number =>
    list.filter(({ post, title }) => titles.get(post)?.has(title) === true).length;
  return {
    acknowledged: acknowledged.length,
    acknowledgedFound: countFound(acknowledged),
    refused: refused.length,
    refusedFound: countFound(refused),
  };
}
