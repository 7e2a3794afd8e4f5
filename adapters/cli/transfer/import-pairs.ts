import { ROLES } from '../../../registry/site.ts';
import { STORED_STATUSES } from '../../../registry/transfer/index.ts';
import { toWord, UsageError } from '../frame/options.ts';

type Pair = readonly [name: string, value: string];

/** Name of a word that stands alone. */
const ALONE = '';

/** `a=b,c`: `[['a', 'b'], ['', 'c']]`. @throws UsageError for an empty part */
function toPairs(option: string, text: string): readonly Pair[] {
  return text.split(',').map((part) => {
    const at = part.lastIndexOf('=');
    const [name, value] = [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()];
    if (value === '' || (at !== -1 && name === ''))
      throw new UsageError(`${option} "${text}": must be pairs such as a=b, separated by commas`);
    return [name, value];
  });
}

/** `author,ada=editor`: the role of users in general, and those of single logins. @throws UsageError */
export function toRoles(text: string): {
  readonly role: string;
  readonly roles: ReadonlyMap<string, string>;
} {
  const roles = new Map<string, string>(
    toPairs('--role', text).map(([login, role]) => [login, toWord('--role', role, Object.keys(ROLES))]),
  );
  const role = roles.get(ALONE) ?? 'subscriber';
  roles.delete(ALONE);
  return { role, roles };
}

/** `wc-completed=publish`. @throws UsageError for a status that the site does not have */
export function toStatuses(text: string | undefined): ReadonlyMap<string, string> {
  const pairs = text === undefined ? [] : toPairs('--status', text);
  const statuses = new Map<string, string>(
    pairs.map(([status, to]) => [status, toWord('--status', to, STORED_STATUSES)]),
  );
  if (statuses.has(ALONE))
    throw new UsageError(`--status "${String(text)}": must be pairs such as wc-completed=publish`);
  return statuses;
}
