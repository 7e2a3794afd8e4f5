// Processor time of calls as tools in relation to the same calls over HTTP, both through `serve` and without cached responses:
// `npm run build && node dist/test/bench/tool-calls.js [SECONDS]`. Wanted: at most 1.5.
import { createRequest } from '../../lib/index.ts';
import { coreContent, coreFixture } from '../conformance/core-run.ts';
import { callTool } from '../support/mcp-client.ts';
import { processorTime } from '../support/processor-time.ts';
import { createWholeSite } from '../support/whole-site.ts';
import { toMedian } from './median.ts';

const AS = { authorization: 'Bearer editor' };
const ROUNDS = 15;

/** Tool and arguments, and the address of the same call. */
const CALLS = [
  ['cms.posts.list', { per_page: 10 }, '/cms/v2/posts?per_page=10'],
  ['cms.posts.read', { id: 101 }, '/cms/v2/posts/101'],
  ['cms.categories.list', {}, '/cms/v2/categories'],
  ['cms.users.readMe', {}, '/cms/v2/users/me'],
] as const;

const seconds = Number(process.argv[2] ?? 2);
const site = await createWholeSite({
  fixture: coreFixture,
  content: coreContent,
  cache: false,
  mcp: { tools: 'all' },
});
for (const [name, args, target] of CALLS) {
  const asTool = (): Promise<unknown> => callTool(site.engine, [name, args], AS);
  const overHttp = async (): Promise<unknown> => {
    const { status, body } = await site.engine.serve(createRequest(target, { language: 'en', headers: AS }));
    if (status !== 200 || body === null) throw new Error(`${target}: ${status}`);
    // As the client of the tool does.
    return JSON.parse(Buffer.from(body).toString()) as unknown;
  };
  const repeat = (run: () => Promise<unknown>, count: number) => async (): Promise<void> => {
    for (let at = 0; at < count; at += 1) await run();
  };
  const once = (await processorTime(repeat(asTool, 200))) / 200;
  const count = Math.max(20, Math.round((seconds * 1000) / (2 * ROUNDS * once)));
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const tool = await processorTime(repeat(asTool, count));
    ratios.push(tool / (await processorTime(repeat(overHttp, count))));
  }
  console.log(`${name}: ${toMedian(ratios).toFixed(2)}`);
}
await site.close();
