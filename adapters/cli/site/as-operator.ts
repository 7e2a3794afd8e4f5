import {
  ANONYMOUS,
  createRequest,
  type Engine,
  findFirst,
  type Identity,
  type RequestOptions,
  type Store,
  type ToolChoice,
} from '../../../lib/index.ts';
import { equalsFolded } from '../../../lib/store/query.ts';
import { ROLES, toIdentity } from '../../../registry/site.ts';
import type { Additions } from '../frame/command.ts';
import { type CliOptions, type CliValues, UsageError } from '../frame/options.ts';
import { withSite } from './open-site.ts';
import { checkLanguage, NAMES, SITE_OPTIONS, type SiteValues } from './site-options.ts';
import { type CommandStore, type StoreUse, withStore } from './with-store.ts';

/** Sends a request to the site's own interface. Resolves with the body. @throws Error with the message of the response */
export type Ask = (target: string, request?: RequestOptions) => Promise<unknown>;

/** A person who can open the store can change everything in it. No user has this id. */
const OPERATOR: Identity = {
  ...ANONYMOUS,
  id: Number.MAX_SAFE_INTEGER,
  role: 'administrator',
  capabilities: new Set(ROLES.administrator),
};

interface Refusal {
  readonly message: string;
  readonly data?: { readonly params?: Readonly<Record<string, string>> | readonly string[] };
}

/** The error of a response that refuses a request. */
export function toRefusal(body: unknown): Error {
  const { message, data } = body as Refusal;
  const { params } = data ?? {};
  // A list has the names of missing parameters, which the message names as well.
  if (params === undefined || Array.isArray(params)) return new Error(message);
  return new Error(
    Object.entries(params)
      .map(([name, reason]) => (reason.includes(name) ? reason : `${name}: ${reason}`))
      .join(' '),
  );
}

/** Runs a function that asks the site's own routes as an administrator, so that the command line has the rules of the interface. `opened`: for what no route shows or changes. */
export function asOperator<T>(
  values: SiteValues,
  use: (ask: Ask, opened: CommandStore) => Promise<T>,
  options: StoreUse = {},
): Promise<T> {
  return withStore(
    values,
    (opened) => {
      const { store, content } = opened;
      const site = { store, content: { ...content, core: true }, cache: false } as const;
      return withSite(opened, site, async ({ engine }) => {
        const ask: Ask = async (target, request = {}) => {
          checkLanguage(request.language, engine.prefixes);
          const { status, body } = await engine.dispatch(createRequest(target, request), OPERATOR);
          if (status >= 400) throw toRefusal(body);
          return body;
        };
        return use(ask, opened);
      });
    },
    options,
  );
}

/** The options of commands that act as a user of the site. */
export const CALLER_OPTIONS = {
  ...SITE_OPTIONS,
  names: NAMES,
  as: { value: 'LOGIN', help: 'Login of the user. Default: an anonymous caller.' },
  language: { value: 'LANGUAGE', help: 'Language prefix. Default: the first one of the site.' },
} as const satisfies CliOptions;

export type CallerValues = CliValues<typeof CALLER_OPTIONS>;

/** An engine, and the caller for whom it runs requests. */
export interface Caller {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly language: string;
}

async function findCaller(store: Store, login: string | undefined): Promise<Identity> {
  if (login === undefined) return ANONYMOUS;
  const user = await findFirst(store, { collection: 'users', where: equalsFolded('login', login) });
  if (user === undefined)
    throw new UsageError(
      `--as "${login}": no user of the site has this login. "routebook user list" shows them`,
    );
  return toIdentity(user);
}

/** Opens the site for one user. A person who can open its store may be any of its users. @throws UsageError */
export function withCaller<T>(
  { as: login, language, ...values }: CallerValues,
  { tools, ...added }: Additions & { readonly tools?: ToolChoice },
  use: (caller: Caller) => Promise<T>,
): Promise<T> {
  return withStore({ ...values, ...added }, (opened) => {
    const { store } = opened;
    const mcp = tools === undefined ? false : { tools };
    return withSite(opened, { store, mcp }, async ({ engine }) => {
      checkLanguage(language, engine.prefixes);
      const [first = 'en'] = engine.prefixes;
      return use({ engine, identity: await findCaller(store, login), language: language ?? first });
    });
  });
}
