import { type Json, RestResponse, fold } from '../../../../lib/index.ts';
import { changeOption, own, readOption, upstreamError } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { toMembers, toNumber, toTextList } from '../values/scalars.ts';
import { createConnection, describeTokens } from './service.ts';

const DAY_MS = 86_400_000;
const ROWS = 10;
const COLUMNS = 5;
const MAX_CACHED = 50;
/** Maximum size of a table in characters. Ten rows take a few hundred. Tables are kept in the store. */
const MAX_RESULTS = 20_000;
const CACHE = ['seo', 'kwtool_cache'] as const;

/** @throws RestError `service_bad_response` when the response is not a table */
function toResults({ columnNames, rows }: ReturnType<typeof toMembers>): Json {
  const columns = toTextList(columnNames);
  const fits =
    columns.length === COLUMNS &&
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row) && row.length === COLUMNS);
  const results = { columnNames: columns, rows: fits ? rows.slice(0, ROWS) : [] };
  if (!fits || JSON.stringify(results).length > MAX_RESULTS)
    throw upstreamError('service_bad_response', { data: { service: 'kwtool' } });
  return results;
}

/** Related keyphrases from the connected keyword tool, cached for a day. */
export function createKwtoolHandlers(
  parts: SeoDeps,
): HandlerGroup<'seo.kwtool.authenticate' | 'seo.kwtool.related'> {
  const { store, now } = parts.ports;
  const connection = createConnection(parts, 'kwtool');

  async function readCached(key: string): Promise<Json | undefined> {
    const { at, results } = toMembers(own(toMembers(await readOption(store, ...CACHE)), key));
    return now() - toNumber(at) < DAY_MS ? results : undefined;
  }

  /** Stores the results. The oldest results beyond the limit are dropped. */
  async function keep(key: string, results: Json): Promise<void> {
    await changeOption(store, CACHE, (value) => {
      const fresh = Object.entries(toMembers(value)).filter(
        ([name, entry]) => name !== key && now() - toNumber(toMembers(entry)['at']) < DAY_MS,
      );
      return { ...Object.fromEntries(fresh.slice(1 - MAX_CACHED)), [key]: { at: now(), results } };
    });
  }

  return {
    'seo.kwtool.authenticate': async ({ code }) => {
      await connection.check();
      const tokens = await connection.authorize({ grant_type: 'authorization_code', code }, 0);
      return { status: 200, tokens: describeTokens(tokens, now()) };
    },
    'seo.kwtool.related': async ({ keyphrase, country_code }, { signal }) => {
      await connection.check();
      const phrase = keyphrase.trim();
      const key = `${country_code}:${fold(phrase)}`;
      const cached = await readCached(key);
      if (cached !== undefined) return new RestResponse({ status: 200, results: cached });
      const query = { phrase, country: country_code, limit: String(ROWS) };
      const results = toResults(
        await connection.send({ method: 'GET', path: '/keyphrases/related', query, signal }),
      );
      await keep(key, results);
      return new RestResponse({ status: 200, results });
    },
  };
}
