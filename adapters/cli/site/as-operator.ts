import {
  ANONYMOUS,
  createRequest,
  type Engine,
  type Identity,
  type Store,
  type ToolChoice,
} from '../../../lib/index.ts';
import { equalsFolded } from '../../../lib/store/query.ts';
import { createSite, ROLES, toIdentity } from '../../../registry/site.ts';
import { type CliOptions, type CliValues, UsageError } from '../frame/options.ts';
import { toLanguageOptions } from './languages.ts';
import type { SiteSource } from './read-site.ts';
import { checkLanguage, SITE_OPTIONS, type SiteValues } from './site-options.ts';
import { type CommandStore, type StoreUse, withStore } from './with-store.ts';

/** A request of the operator. `language`: prefix of the address; default the first one. */
interface OperatorRequest {
  readonly method?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly language?: string | undefined;
  /** Address of the site. Default: that of no site. */
  readonly siteUrl?: string;
}

/** Sends a request to the site's own interface. Resolves with the body. @throws Error with the message of the response */
export type Ask = (target: string, request?: OperatorRequest) => Promise<unknown>;

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
    async (opened) => {
      const { store, content, config, plugins } = opened;
      const site = await createSite({
        ...config,
        ...toLanguageOptions(opened),
        store,
        content: { ...content, core: true },
        plugins,
        authenticate: () => OPERATOR,
        cache: false,
      });
      const ask: Ask = async (target, { method = 'GET', body, language, siteUrl } = {}) => {
        checkLanguage(language, site.engine.prefixes);
        const { status, body: text } = await site.engine.serve(
          createRequest(target, {
            method,
            ...(body === undefined ? {} : { body }),
            ...(language === undefined ? {} : { language }),
            ...(siteUrl === undefined ? {} : { siteUrl }),
          }),
        );
        const shown: unknown = JSON.parse(String(text));
        if (status < 400) return shown;
        throw toRefusal(shown);
      };
      try {
        return await use(ask, opened);
      } finally {
        await site.close();
      }
    },
    options,
  );
}

/** The options of commands that act as a user of the site. */
export const CALLER_OPTIONS = {
  ...SITE_OPTIONS,
  names: { value: 'NAMES', default: 'neutral', help: 'Wire names: neutral, wordpress, or a JSON file.' },
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
  const { records } = await store.find({
    collection: 'users',
    where: equalsFolded('login', login),
    limit: 1,
  });
  const [user] = records;
  if (user === undefined)
    throw new UsageError(
      `--as "${login}": no user of the site has this login. "routebook user list" shows them`,
    );
  return toIdentity(user);
}

/** Opens the site for one user. A person who can open its store may be any of its users. @throws UsageError */
export function withCaller<T>(
  { as: login, language, ...values }: CallerValues,
  { tools, ...own }: Pick<SiteSource, 'namespaces' | 'ownPlugins'> & { readonly tools?: ToolChoice },
  use: (caller: Caller) => Promise<T>,
): Promise<T> {
  return withStore({ ...values, ...own }, async (opened) => {
    const { store, content, config, names, namespaces, plugins } = opened;
    const site = await createSite({
      ...config,
      ...toLanguageOptions(opened),
      store,
      content,
      names,
      namespaces,
      plugins,
      ...(tools === undefined ? {} : { mcp: { tools } }),
    });
    try {
      checkLanguage(language, site.engine.prefixes);
      const [first = 'en'] = site.engine.prefixes;
      return await use({
        engine: site.engine,
        identity: await findCaller(store, login),
        language: language ?? first,
      });
    } finally {
      await site.close();
    }
  });
}
