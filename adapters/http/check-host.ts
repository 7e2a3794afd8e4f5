import { FUNCTION, OBJECT, checkMembers, checkOption, checkOptions, countUpTo, type OptionRules } from '../../lib/core/check-options.ts';
import type { Host } from '../../lib/http/host.ts';
import { LoadShedder } from './load-shedder.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import { SITE_URL } from './site-url.ts';

/** What makes a host, and which options it takes. */
export interface Maker {
  readonly name: string;
  readonly options: OptionRules;
}

/** Timers of node take a longer time for none. */
const LONGEST_MS = 2 ** 30;

const TIME = countUpTo(LONGEST_MS);
const COUNT = countUpTo();

/** Options of every host. */
export const HOST_OPTIONS: OptionRules = {
  siteUrl: SITE_URL,
  address: FUNCTION,
  otherwise: FUNCTION,
  limits: OBJECT,
  loadShedder: { wanted: 'a LoadShedder', fits: (value) => value instanceof LoadShedder },
};

function checkEngine(name: string, host: Partial<Host> | null | undefined): void {
  if (typeof host?.serve === 'function' && typeof host.refuse === 'function') return;
  const given = typeof host === 'object' && host !== null && 'engine' in host ? ' and was given a site' : '';
  throw new TypeError(`${name} needs an engine${given}: ${name}(site.engine)`);
}

function checkLimits(what: string, limits: object): void {
  checkMembers(what, limits, Object.keys(HTTP_LIMITS));
  for (const [name, value] of Object.entries(limits)) checkOption([name, what], value, name.endsWith('Ms') ? TIME : COUNT);
}

/**
 * Looks once at what a host is made of, so that no request meets a fault of the program.
 * @throws TypeError naming the option, its fault and what would be right
 */
export function checkHost({ name, options: rules }: Maker, host: Host, options: { readonly limits?: object } = {}): void {
  checkEngine(name, host);
  checkOptions(`the options of ${name}`, options, rules);
  checkLimits(`the limits of ${name}`, options.limits ?? {});
}
