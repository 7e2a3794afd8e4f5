/** Which requests cannot change a site, whatever server it has. */

import type { Scenario, Step } from './scenario.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Servers take another method from these, and some read a second request where the length of the first is wrong. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'x-http-method-override',
  'x-method-override',
  'x-http-method',
  'content-length',
  'transfer-encoding',
]);

/** PHP reads `X_HTTP_METHOD_OVERRIDE` as the same header. */
const isRefusedHeader = (name: string): boolean =>
  REFUSED_HEADERS.has(name.toLowerCase().replaceAll('_', '-'));

/** Whether a parameter of the query names another method, also as PHP spells it: ` .method` is `_method` there. */
function namesMethod(target: string): boolean {
  const [, ...members] = target.split(/[?&;#]/);
  return members.some((member) =>
    [...new URLSearchParams(member).keys()].some((name) => /^\s*[^a-z\d]method/i.test(name)),
  );
}

/** Whether the step only reads. `target`: path and query as they are sent. A step that names another method at all does not. */
export function isRead({ method, headers }: Step, target: string): boolean {
  return READS.has(method) && !Object.keys(headers ?? {}).some(isRefusedHeader) && !namesMethod(target);
}

/** Whether the scenario may leave the site changed, as far as its text says: saved values are known only when it runs. */
export function mutates({ steps }: Scenario): boolean {
  return steps.some((step) => !isRead(step, `${step.path}?${step.query ?? ''}`));
}
