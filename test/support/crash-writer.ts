// A process to be killed. It writes posts with their revisions as fast as it can and reports each one
// after its commit was acknowledged, while another thread searches them. `node crash-writer.js DIRECTORY`
import { writeSync } from 'node:fs';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { postCollections } from '../../registry/core/records/collections.ts';

const AT_ONCE = 4;
/** Half of the processes commit as batches do. */
const durability = process.pid % 2 === 0 ? 'later' : 'now';
const store = await createSqliteStore({ directory: process.argv[2] ?? '', collections: postCollections });

async function writeOn(): Promise<never> {
  for (let count = 0; ; count += 1) {
    const slug = `${process.pid}-${Math.random()}`;
    const text = 'x'.repeat(Math.floor(Math.random() * 6000));
    const [post] = await store.commit(
      [
        {
          op: 'create',
          collection: 'posts',
          as: 'post',
          values: {
            type: 'post',
            language: 'en',
            status: 'publish',
            slug,
            title: slug,
            content: text,
            tags: [count, count + 1],
          },
        },
        {
          op: 'create',
          collection: 'revisions',
          values: { parent: { $ref: 'post' }, title: slug, content: text },
        },
      ],
      durability,
    );
    await store.flush();
    // Synchronous and unbuffered, because an acknowledgement counts even if it is the last thing this process does.
    writeSync(1, `created ${post?.id}\n`);
    if (post === undefined || post === null || count % 3 > 0) continue;
    const [changed] = await store.commit(
      [
        {
          op: 'update',
          collection: 'posts',
          id: post.id,
          values: { title: `${slug} again`, tags: [] },
          version: 1,
        },
        { op: 'create', collection: 'revisions', values: { parent: post.id, title: `${slug} again` } },
      ],
      durability,
    );
    await store.flush();
    writeSync(1, `updated ${changed?.id}\n`);
  }
}

async function searchOn(): Promise<never> {
  for (;;) {
    await store.find({
      collection: 'posts',
      where: { op: 'contains', field: 'content', text: 'nowhere' },
      limit: 1,
      total: true,
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

void searchOn();
await Promise.all(Array.from({ length: AT_ONCE }, writeOn));
