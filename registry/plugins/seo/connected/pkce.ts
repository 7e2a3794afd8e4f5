import { createHash } from 'node:crypto';
import type { Ports } from '../../../core/host/ports.ts';
import { readOption, removeOption, writeOption } from '../../../core/settings/options.ts';
import type { AuthorizationConfig } from '../values/config.ts';
import { toMembers, toNumber, toText } from '../values/json.ts';
import { seal, unseal } from './seal.ts';

const DAY_MS = 86_400_000;
const BYTES = 32;
const NAME = ['seo:secret', 'ranktracker_pkce'] as const;

const toWord = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The URL at which the owner grants the authorization (RFC 7636). The verifier is kept for a day. */
export async function startAuthorization(
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
export async function takeVerifier(ports: Ports, state: string | undefined): Promise<string | null> {
  const kept = toMembers(unseal(ports, await readOption(ports.store, ...NAME)));
  const fits =
    toText(kept['verifier']) !== '' &&
    ports.now() - toNumber(kept['at']) < DAY_MS &&
    (state === undefined || state === kept['state']);
  if (!fits) return null;
  await removeOption(ports.store, ...NAME);
  return toText(kept['verifier']);
}
