import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runScenarios } from '../../adapters/cli/verify/run-scenarios.ts';
import type { Scenario } from '../../adapters/cli/verify/scenario.ts';
import { collections } from '../../registry/index.ts';
import { CORE_AREAS } from '../conformance/core-areas.ts';
import { coreScenarios, withCoreSite } from '../conformance/core-run.ts';
import { fixture, scenarios } from '../conformance/recorded.ts';
import { type BusySite, createBusySite } from '../registry/all-routes-site.ts';
import { isPlain, prepare, type Row, ROWS, toAsking } from '../registry/all-routes-table.ts';
import { hasClients, skipClient } from '../support/clients/installed.ts';
import { createJudge, type Exchange, type Judge, withProxy } from '../support/clients/prism.ts';
import { type HttpSite, openHttpSite } from '../support/http-site.ts';
import { openMemory } from '../support/store-factories.ts';

// A foreign judge compares what the server answers with its own OpenAPI document.
/** The document describes responses without them (docs/decisions.md, 11). */
const isWrapped = ({ target }: Exchange): boolean => /[?&]_(?:envelope|jsonp)\b/.test(target);
/** What the document does not describe is refused, or describes a route itself. */
const isOutside = ({ method, status }: Exchange): boolean =>
  status === 404 || method === 'OPTIONS' || method === 'HEAD';

interface Found {
  judged: number;
  /** Violations of responses to requests that the document leaves out. */
  wrapped: number;
  readonly wrong: string[];
}

const createFound = (): Found => ({ judged: 0, wrapped: 0, wrong: [] });

function judgeInto(found: Found, judge: Judge, exchange: Exchange): void {
  const violations = judge(exchange);
  if (violations === null && isOutside(exchange)) return;
  found.judged += 1;
  if (isWrapped(exchange)) found.wrapped += (violations?.length ?? 1) > 0 ? 1 : 0;
  else
    found.wrong.push(
      ...(violations ?? [
        `${exchange.method} ${exchange.target} ${exchange.status}: the document does not describe it`,
      ]),
    );
}

/** Sends the cases through a proxy that judges each response. */
async function judgeCases(cases: readonly Scenario[], site: HttpSite): Promise<Found> {
  const found = createFound();
  const judge = await createJudge((await (await fetch(`${site.base}/openapi.json`)).json()) as object);
  await withProxy(
    site,
    (exchange) => judgeInto(found, judge, exchange),
    async (target) => {
      const outcomes = await runScenarios(cases, target, site.reset);
      assert.equal(
        outcomes.filter(({ differences }) => differences.some(({ path }) => path === 'connection')),
        [],
      );
    },
  );
  return found;
}

/** Judges what the caller with the right gets, and what an anonymous one gets. */
async function judgeRow(
  row: Row,
  { site }: BusySite,
  [found, judge, sent]: readonly [Found, Judge, Awaited<ReturnType<typeof prepare>>],
): Promise<void> {
  for (const caller of [{ as: null }, { as: row[1], proof: sent.proof }]) {
    const asking = toAsking(row, sent, caller);
    const { status, headers, text } = await site.ask(asking);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    judgeInto(found, judge, {
      method: asking.method ?? '',
      target: asking.target,
      status,
      headers: lower,
      text,
    });
  }
}

function prismSuite(): void {
  const prism = suite('prism');

  prism('finds nothing wrong with the responses of the recorded cases, but with wrapped ones', async () => {
    const { store, remove } = await openMemory(collections);
    const site = await openHttpSite(fixture, { store, openapi: true });
    const { wrong, judged, wrapped } = await judgeCases(scenarios, site);
    await site.close();
    await remove();
    assert.equal(wrong, []);
    assert.ok(judged > 800 && wrapped > 0, `${judged} judged, ${wrapped} wrapped`);
  });

  for (const area of Object.keys(CORE_AREAS)) {
    prism(`finds nothing wrong with the responses of the recorded core cases: ${area}`, () =>
      withCoreSite({ area, open: openMemory, options: { openapi: true } }, async (site) => {
        const { wrong, judged } = await judgeCases(
          coreScenarios.filter((scenario) => scenario.area === area),
          site,
        );
        assert.equal(wrong, []);
        // Those of the schemas ask for OPTIONS alone.
        assert.ok(judged > 0 || area === 'schema');
      }),
    );
  }

  prism('finds nothing wrong with the responses of all routes', async () => {
    const found = createFound();
    const shared = await createBusySite();
    const judge = await createJudge(
      JSON.parse(
        JSON.stringify(
          shared.site.engine.describeOpenApi({
            title: 'Site',
            version: '1',
            language: 'en',
            siteUrl: 'http://site.test',
          }),
        ),
      ) as object,
    );
    for (const row of ROWS) {
      const busy = isPlain(row) ? shared : await createBusySite();
      await busy.reset();
      await judgeRow(row, busy, [found, judge, await prepare(row, busy)]);
      if (busy !== shared) await busy.site.close();
    }
    await shared.site.close();
    assert.equal(found.wrong, []);
    assert.is(found.judged, 2 * ROWS.length);
  });

  prism('finds what is wrong', async () => {
    const content = {
      'application/json': {
        schema: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, from: { type: 'string', format: 'ipv4' } },
        },
      },
    };
    const judge = await createJudge({
      openapi: '3.1.0',
      info: { title: 'A', version: '1' },
      paths: { '/a': { get: { responses: { 200: { description: 'A', content } } } } },
    });
    const countOf = (body: unknown, status = 200, type = 'application/json'): number | undefined =>
      judge({
        method: 'GET',
        target: '/a?b',
        status,
        headers: { 'content-type': type },
        text: JSON.stringify(body),
      })?.length;
    assert.is(countOf({ id: 1, from: '192.0.2.1' }), 0);
    for (const count of [
      countOf({}),
      countOf({ id: '1' }),
      countOf({ id: 1, from: '' }),
      countOf({ id: 1 }, 201),
      countOf('a', 200, 'text/plain'),
    ])
      assert.ok(Number(count) > 0);
    assert.is(judge({ method: 'GET', target: '/b', status: 200, headers: {}, text: '' }), null);
  });

  prism.run();
}

if (hasClients()) prismSuite();
else skipClient('prism');
