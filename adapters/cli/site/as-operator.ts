import { ANONYMOUS, createRequest, type Identity } from '../../../lib/index.ts';
import { createSite, ROLES } from '../../../registry/site.ts';
import { toLanguageOptions } from './languages.ts';
import { checkLanguage, type SiteValues } from './site-options.ts';
import { withStore, type CommandStore, type StoreUse } from './with-store.ts';

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
