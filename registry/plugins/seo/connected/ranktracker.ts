import { createHash } from 'node:crypto';
import { and, eq, not, RestResponse, type Store } from '../../../../lib/index.ts';
import { type Ports, readOption, removeOption, upstreamError, writeOption } from '../../../plugin.ts';
import type { CatchUp } from '../indexing/catch-up.ts';
import { toIndexable } from '../indexing/indexable.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import type { AuthorizationConfig } from '../values/config.ts';
import { seoError } from '../values/errors.ts';
import { toMembers, toNumber } from '../values/scalars.ts';
import { type Connection, createConnection, describeTokens, seal, unseal } from './service.ts';

const DAY_MS = 86_400_000;
const BYTES = 32;
const NAME = ['seo:secret', 'ranktracker_pkce'] as const;

/** An authorization that was started. `at`: milliseconds since 1970. */
interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly at: number;
}

const toWord = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The URL at which the owner grants the authorization (RFC 7636). The verifier is kept for a day. */
async function startAuthorization(
  ports: Ports,
  { authorizeUrl, clientId, redirectUrl }: AuthorizationConfig,
): Promise<string> {
  const [verifier, state] = [toWord(ports.random(BYTES)), toWord(ports.random(BYTES))];
  await writeOption(ports.store, NAME, seal(ports, { verifier, state, at: ports.now() }));
  const url = new URL(authorizeUrl);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUrl,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Removes and returns the verifier of the pending authorization; null when there is none or `state` does not match. */
async function takeVerifier(ports: Ports, state: string | undefined): Promise<string | null> {
  const kept = unseal(ports, await readOption(ports.store, ...NAME)) as Pending | null;
  if (kept === null || ports.now() - kept.at >= DAY_MS || (state ?? kept.state) !== kept.state) return null;
  await removeOption(ports.store, ...NAME);
  return kept.verifier;
}

/** Maximum number of phrases in one request. */
const MAX_PHRASES = 100;

const orNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function toPhrases(given: string | readonly string[] | undefined): readonly string[] {
  const list = typeof given === 'string' ? [given] : (given ?? []);
  return [...new Set(list.map((phrase) => phrase.trim()))].filter((phrase) => phrase !== '');
}

/** Focus keyphrases of the public posts. */
async function listFocusPhrases(store: Store): Promise<readonly string[]> {
  const where = and(eq('object_type', 'post'), eq('is_public', true), not(eq('focus_phrase', '')));
  const { records } = await store.find({
    collection: 'seo_indexables',
    where,
    fields: ['focus_phrase'],
    limit: 1000,
  });
  return toPhrases(records.map((record) => toIndexable(record).focus_phrase)).slice(0, MAX_PHRASES);
}

/** `limit`: null for none. */
async function readLimit(connection: Connection) {
  const { limit, usage, historyDays } = await connection.send({
    method: 'GET',
    path: '/websites/{website}/limits',
  });
  const [most, used] = [orNull(limit), toNumber(usage)];
  return {
    canTrack: most === null || used < most,
    limit: most,
    usage: used,
    historyDays: toNumber(historyDays),
  };
}

/** Handlers that set up the authorization. */
function createAuthorizationHandlers(
  { ports, config }: SeoDeps,
  connection: Connection,
): HandlerGroup<'seo.ranktracker.authorization' | 'seo.ranktracker.authenticate'> {
  /** @throws RestError `service_not_connected` */
  const readConfig = () => {
    if (config.ranktracker === null)
      throw upstreamError('service_not_connected', { data: { service: 'ranktracker' } });
    return config.ranktracker;
  };
  return {
    'seo.ranktracker.authorization': async () => {
      await connection.check();
      return { status: 200, url: await startAuthorization(ports, readConfig()) };
    },
    'seo.ranktracker.authenticate': async ({ code, websiteId, state }) => {
      await connection.check();
      const { clientId, redirectUrl } = readConfig();
      const code_verifier = await takeVerifier(ports, state);
      if (code_verifier === null) throw seoError('authorization_not_started');
      const tokens = await connection.authorize(
        {
          grant_type: 'authorization_code',
          code,
          code_verifier,
          client_id: clientId,
          redirect_uri: redirectUrl,
        },
        websiteId,
      );
      return { status: 200, tokens: describeTokens(tokens, ports.now()) };
    },
  };
}

/** Ranking of keyphrases in search results, from the connected rank tracker. */
export function createRanktrackerHandlers(parts: SeoDeps, catchUp: CatchUp): HandlerGroup<'seo.ranktracker'> {
  const connection = createConnection(parts, 'ranktracker');
  return {
    ...createAuthorizationHandlers(parts, connection),
    'seo.ranktracker.track': async ({ keyphrases }, { signal }) => {
      await connection.check();
      const phrases = toPhrases(keyphrases);
      const { limit, usage } = await readLimit(connection);
      if (limit !== null && usage + phrases.length > limit) {
        return new RestResponse(
          {
            limit,
            error: `The account can track at most ${limit} keyphrases and already tracks ${usage}.`,
            status: 400,
          },
          { status: 400 },
        );
      }
      const { results } = await connection.send({
        method: 'POST',
        path: '/websites/{website}/keyphrases',
        body: { keyphrases: phrases },
        signal,
      });
      return { status: 200, results: toMembers(results) };
    },
    'seo.ranktracker.keyphrases': async ({ keyphrases, permalink, startAt }, { signal, site }) => {
      await connection.check();
      if (keyphrases === undefined) await catchUp(site);
      const phrases =
        keyphrases === undefined ? await listFocusPhrases(parts.ports.store) : toPhrases(keyphrases);
      if (phrases.length === 0) return { status: 200, results: {} };
      const body = { keyphrases: phrases, permalink, startAt };
      const { results } = await connection.send({
        method: 'POST',
        path: '/websites/{website}/keyphrases/history',
        body,
        signal,
      });
      return { status: 200, results: toMembers(results) };
    },
    'seo.ranktracker.untrack': async ({ keyphraseID }, { signal }) => {
      await connection.check();
      const found = await connection.find({
        method: 'DELETE',
        path: `/websites/{website}/keyphrases/${keyphraseID}`,
        signal,
      });
      if (found === null) throw seoError('keyphrase_not_found');
      return { status: 200 };
    },
    'seo.ranktracker.limit': async () => {
      await connection.check();
      return { status: 200, ...(await readLimit(connection)) };
    },
    'seo.ranktracker.campaign': async (_args, { signal }) => {
      await connection.check();
      const { discount, months } = (await connection.ask({ method: 'GET', path: '/campaign', signal })) ?? {};
      return { status: 200, discount: orNull(discount), months: orNull(months) };
    },
  };
}
