import { type Ports, readOption, writeOption } from '../../../plugin.ts';
import { toMembers, toNumber, toText } from '../values/json.ts';
import { seal, unseal } from './seal.ts';

/** The services that the host can connect. */
export const SERVICES = ['kwtool', 'ranktracker'] as const;

export type Service = (typeof SERVICES)[number];

/** Tokens issued by a service. `expires`: seconds since 1970. `website`: 0 when the service has no websites. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires: number;
  readonly website: number;
}

const GROUP = 'seo:secret';

/** The tokens of a service; null when the site was never authorized. */
export async function readTokens(ports: Ports, service: Service): Promise<Tokens | null> {
  const { access_token, refresh_token, expires, website } = toMembers(
    unseal(ports, await readOption(ports.store, GROUP, service)),
  );
  if (toText(access_token) === '') return null;
  return {
    access_token: toText(access_token),
    refresh_token: toText(refresh_token),
    expires: toNumber(expires),
    website: toNumber(website),
  };
}

export async function writeTokens(ports: Ports, service: Service, tokens: Tokens): Promise<void> {
  await writeOption(ports.store, [GROUP, service], seal(ports, { ...tokens }));
}

/** The state of the tokens for a response, without the tokens themselves. */
export function describeTokens(
  { expires }: Tokens,
  now: number,
): { readonly expires: number; readonly has_expired: boolean } {
  return { expires, has_expired: expires * 1000 <= now };
}

/** Whether the host has connected a service, and whether the site is authorized there. */
export async function describeConnection(ports: Ports, service: Service) {
  const tokens = await readTokens(ports, service);
  return {
    connected: ports.upstream.origin(service) !== null,
    authorized: tokens !== null,
    website: tokens?.website ?? 0,
    expires: tokens?.expires ?? 0,
  };
}
