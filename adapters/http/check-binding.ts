import {
  FUNCTION,
  OBJECT,
  type OptionRules,
  checkMembers,
  checkOption,
  checkOptions,
  countUpTo,
} from '../../lib/core/check-options.ts';
import type { Host } from '../../lib/http/host.ts';
import { LoadShedder } from './admission/load-shedder.ts';
import { SITE_URL } from './host-options.ts';
import { HTTP_LIMITS } from './http-limits.ts';

/** The function that creates a host, and the options it takes. */
export interface Maker {
  readonly name: string;
  readonly options: OptionRules;
}

/** Longest time that an option may set. Node fires timers with much longer delays at once. */
const LONGEST_MS = 2 ** 30;

const TIME = countUpTo(LONGEST_MS);
const COUNT = countUpTo();

/** Options that every host takes. */
export const HOST_OPTIONS: OptionRules = {
  siteUrl: SITE_URL,
  address: FUNCTION,
  otherwise: FUNCTION,
  context: FUNCTION,
  limits: OBJECT,
  loadShedder: { wanted: 'a LoadShedder', fits: (value) => value instanceof LoadShedder },
};

function checkEngine(name: string, host: Partial<Host> | null | undefined): void {
  if (typeof host?.serve === 'function' && typeof host.refuse === 'function') return;
  const given = typeof host === 'object' && host !== null && 'engine' in host ? ' and was given a site' : '';
  throw new TypeError(`${name} needs an engine${given}: ${name}(site.engine)`);
}

/** Without prefixes and base, every address belongs to the API. */
function checkOtherwise(name: string, { prefixes = [], base = '' }: Partial<Host>, otherwise: unknown): void {
  if (otherwise === undefined || prefixes.length > 0 || base !== '') return;
  throw new TypeError(
    `otherwise of the options of ${name} would never be called, because every address belongs to the engine; give createEngine a base such as "/api"`,
  );
}

function checkLimits(what: string, limits: object): void {
  checkMembers(what, limits, Object.keys(HTTP_LIMITS));
  for (const [name, value] of Object.entries(limits))
    checkOption([name, what], value, name.endsWith('Ms') ? TIME : COUNT);
}

/**
 * Checks a host's engine and options once, so that mistakes show at the start and not in a request.
 * @throws TypeError that names the option, what is wrong with it and what it must be
 */
export function checkHost(
  { name, options: rules }: Maker,
  host: Host,
  options: { readonly limits?: object; readonly otherwise?: unknown } = {},
): void {
  checkEngine(name, host);
  checkOptions(`the options of ${name}`, options, rules);
  checkOtherwise(name, host, options.otherwise);
  checkLimits(`the limits of ${name}`, options.limits ?? {});
}
