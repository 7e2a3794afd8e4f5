import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestPorts } from '../../../support/ports.ts';
import { MORE_CLEAN, MORE_SPOILT } from './more-sample-posts.ts';
import { listIssues, scan, toPost } from './planted-site.ts';
import { CLEAN, SPOILT } from './sample-posts.ts';

/** The texts in which a scan finds something, with what it finds. */
async function scanTexts(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ports = createTestPorts();
  await ports.store.commit(
    texts.map((content, index) =>
      toPost({ id: index + 1, content: `<p>Some words of a text.</p>${content}`, excerpt: '' }),
    ),
  );
  assert.is(await scan(ports), 'finished');
  const issues = await listIssues(ports);
  return new Map(issues.map((issue) => [texts[Number(issue.split(' ')[2]) - 1] ?? issue, issue]));
}

const samples = suite('60 spoilt and 60 clean posts');

samples('every spoilt post has an issue', async () => {
  const found = await scanTexts(SPOILT);
  assert.is(SPOILT.length, 60);
  assert.equal(
    SPOILT.filter((text) => !found.has(text)),
    [],
  );
});

samples('no clean post has an issue', async () => {
  const found = await scanTexts(CLEAN);
  assert.is(CLEAN.length, 60);
  assert.equal([...found], []);
});

samples('so has every other spoilt text, and no other clean one', async () => {
  const found = await scanTexts(MORE_SPOILT);
  assert.equal(
    MORE_SPOILT.filter((text) => !found.has(text)),
    [],
  );
  assert.equal([...(await scanTexts(MORE_CLEAN))], []);
});

samples.run();
