import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ANONYMOUS } from '../../../../lib/core/identity.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import type { RestResponse } from '../../../../lib/http/response.ts';
import type { Operation, Values } from '../../../../lib/store/store.ts';
import { CAPABILITIES, capabilitiesOf } from '../../../../registry/core/accounts/roles.ts';
import type { Ports } from '../../../../registry/core/host/ports.ts';
import { createSecscanNamespace } from '../../../../registry/plugins/secscan/index.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

/** A signer with its public key in hexadecimal digits. */
export interface Signer {
  readonly publicKey: string;
  sign(text: string): string;
}

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  const signWith = (key: KeyObject, text: string): string =>
    sign(null, Buffer.from(text), key).toString('hex');
  return {
    publicKey: Buffer.from(x ?? '', 'base64url').toString('hex'),
    sign: (text) => signWith(privateKey, text),
  };
}

export const SITE_ID = '123e4567-e89b-12d3-a456-426614174000';

/** What a request adds to the defaults. `login`: a role. */
export interface Asking {
  readonly body?: unknown;
  readonly login?: string;
  readonly token?: string;
  readonly tokenHeader?: string;
  readonly address?: string;
}

export interface Answered {
  readonly status: number;
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

function toAnswered({ status, body, headers }: RestResponse): Answered {
  const value = JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>;
  return { status, body: value, headers, code: String(value['code'] ?? '') };
}

const USERS: readonly Values[] = [
  { id: 1, login: 'admin', slug: 'admin', role: 'administrator', email: 'Admin@site.test' },
  { id: 2, login: 'writer', slug: 'writer', role: 'author', email: 'writer@site.test' },
  { id: 3, login: 'twin1', slug: 'twin1', role: 'administrator', email: 'twin@site.test' },
  { id: 4, login: 'twin2', slug: 'twin2', role: 'administrator', email: 'twin@site.test' },
];

/** A site with a controller key and a clock that can be moved. */
export async function createSecscanSite(
  parts: Partial<Ports> = {},
  settings: Readonly<Record<string, unknown>> = {},
) {
  const controller = createSigner();
  const dashboard = createSigner();
  const clock = { now: TEST_NOW };
  let count = 0;
  const ports = createTestPorts({
    now: () => clock.now,
    config: {
      ...TEST_CONFIG,
      namespaces: { secscan: { controllerPublicKey: controller.publicKey, ...settings } },
    },
    random: (length) => {
      count += 1;
      return new Uint8Array(createHash('sha256').update(String(count)).digest().subarray(0, length));
    },
    ...parts,
  });
  if (parts.store === undefined)
    await ports.store.commit(
      USERS.map((values): Operation => ({ op: 'create', collection: 'users', values })),
    );
  const engine = createTestEngine([createSecscanNamespace(ports)], { capabilities: CAPABILITIES });

  async function ask(
    method: string,
    path: string,
    { body, login = '', token, tokenHeader = 'authorization', address = '' }: Asking = {},
  ): Promise<Answered> {
    const headers = token === undefined ? {} : { [tokenHeader]: `Bearer ${token}` };
    const request = {
      ...createRequest(`/secscan/v1/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        siteUrl: 'https://site.test',
      }),
      address,
    };
    const identity =
      login === ''
        ? ANONYMOUS
        : { id: login === 'administrator' ? 1 : 2, role: login, capabilities: capabilitiesOf(login) };
    return toAnswered(await engine.dispatch(request, identity));
  }

  const readNonce = async (): Promise<string> => String((await ask('GET', 'authenticate')).body['nonce']);
  const login = async (path: string, name: string, signer: Signer): Promise<Answered> => {
    const data = `${await readNonce()}|${name}`;
    return ask('POST', path, { body: { data, signature: signer.sign(data) } });
  };

  return {
    ports,
    clock,
    controller,
    dashboard,
    ask,
    readNonce,
    login,
    premiumToken: async (): Promise<string> =>
      String((await login('authenticate-premium', 'admin@site.test', controller)).body['token']),
    async connect(): Promise<Answered> {
      const token = String(
        (await login('authenticate-premium', 'admin@site.test', controller)).body['token'],
      );
      return ask('POST', 'premium-connect', {
        token,
        body: { 'public-key': dashboard.publicKey, 'site-id': SITE_ID, 'site-data': { name: 'My site' } },
      });
    },
    token: async (): Promise<string> =>
      String((await login('authenticate', SITE_ID, dashboard)).body['token']),
    /** Polls until the scan has ended. */
    async waitForScan(): Promise<Readonly<Record<string, unknown>>> {
      for (let turn = 0; turn < 2000; turn += 1) {
        const {
          body: { scan },
        } = await ask('GET', 'scan/issues', { login: 'administrator' });
        const state = scan as Readonly<Record<string, unknown>>;
        if (state['status'] !== 'running') return state;
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
      throw new Error('the scan must end');
    },
  };
}
