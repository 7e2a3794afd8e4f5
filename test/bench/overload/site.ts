import { writeFileSync } from 'node:fs';
import { startProgram, type Program } from '../../support/start-program.ts';
import { makeFolder, removeFolder } from '../../support/temporary.ts';
import { pinProgram } from '../children.ts';
import { createFixture } from '../corpus.ts';
import { PASSWORD } from './login.ts';
import type { Place } from './places.ts';

/** Starts `routebook serve` with default limits on an empty store, and fills it with `posts` posts. */
export async function startSite({ store }: Place, posts: number): Promise<Program> {
  const folder = makeFolder();
  try {
    const fixture = createFixture(posts);
    const users =
      fixture.users?.map((user) => (user.id === 1 ? { ...user, password: PASSWORD } : user)) ?? [];
    writeFileSync(`${folder}/site.json`, JSON.stringify({ ...fixture, users }));
    const program = await startProgram('examples/server.js', [
      '--port',
      '0',
      '--store',
      store,
      '--fixtures',
      `${folder}/site.json`,
    ]);
    pinProgram(program.pid, 0);
    return program;
  } finally {
    removeFolder(folder);
  }
}
