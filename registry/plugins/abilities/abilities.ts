import {
  type Action,
  type Call,
  createErrors,
  effectOf,
  type ErrorTable,
  idempotenceOf,
  JsonText,
  listActions,
  RestError,
  RestResponse,
  runAction,
  type SiteView,
  toObject,
} from '../../../lib/index.ts';
import { isObject, own, perObject, vendorHeader } from '../../plugin.ts';

/** How an ability is run: by one method, and no other. */
type RunMethod = 'GET' | 'POST' | 'DELETE';

/** An action under the name that clients of abilities accept: `cms/posts-list` for `cms.posts.list`. */
export interface Ability {
  /** The part before the slash. */
  readonly namespace: string;
  /** The part after it. */
  readonly ability: string;
  readonly name: string;
  /** Slug of its category: `cms-v2` for the routes of `cms/v2`. */
  readonly category: string;
  readonly method: RunMethod;
  /** Its result is a page of a list, with the totals. */
  readonly isPaged: boolean;
  readonly action: Action;
}

/** Abilities with one subject: those of a namespace, or of a tag of endpoints. */
export interface Category {
  readonly slug: string;
  /** The namespace or tag. */
  readonly label: string;
}

interface Abilities {
  readonly byName: ReadonlyMap<string, Ability>;
  readonly categories: ReadonlyMap<string, Category>;
}

/** Lower-case letters and digits, in words with hyphens. */
const toWords = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function methodOf({ endpoint }: Action): RunMethod {
  const effect = effectOf(endpoint);
  if (effect === 'read') return 'GET';
  return effect === 'destroy' && idempotenceOf(endpoint) === true ? 'DELETE' : 'POST';
}

const labelOf = ({ endpoint: { tags = [] }, route }: Action): string => tags[0] ?? route.namespace;

/** `search` has no first word, so that of its namespace is taken. */
function splitName({ name, route }: Action): readonly [namespace: string, ability: string] {
  const [first = '', ...others] = name.split('.');
  return others.length > 0
    ? [toWords(first), toWords(others.join('-'))]
    : [toWords(route.namespace.split('/')[0] ?? ''), toWords(first)];
}

function createAbilities(actions: readonly Action[]): Abilities {
  const byName = new Map<string, Ability>();
  const categories = new Map<string, Category>();
  for (const action of actions) {
    const [namespace, plain] = splitName(action);
    // Two actions whose names differ only in marks are told apart by a number.
    let ability = plain;
    for (let at = 2; byName.has(`${namespace}/${ability}`); at += 1) ability = `${plain}-${at}`;
    const label = labelOf(action);
    const slug = toWords(label);
    if (!categories.has(slug)) categories.set(slug, { slug, label });
    const name = `${namespace}/${ability}`;
    const isPaged = action.endpoint.shows?.includes('page') === true;
    byName.set(name, {
      namespace,
      ability,
      name,
      category: slug,
      method: methodOf(action),
      isPaged,
      action,
    });
  }
  return { byName, categories };
}

const perActions = perObject(createAbilities);

/** Every action of the site as an ability, in the order of the index. Made once for each table of routes. */
export const abilitiesOf = (site: Pick<SiteView, 'routes' | 'names'>): Abilities =>
  perActions(listActions(site));

/** The errors of `cms-abilities/v1`, with the codes of WordPress 7.1. */
export const ABILITY_ERRORS = {
  rest_ability_not_found: [404, 'Ability not found.'],
  rest_ability_category_not_found: [404, 'Ability category not found.'],
  rest_ability_invalid_method: [405, 'The ability is run with another method. The header Allow names it.'],
  rest_ability_cannot_execute: ['denied', 'Sorry, you are not allowed to execute this ability.'],
  rest_ability_invalid_page_number: [
    400,
    'The page number requested is larger than the number of pages available.',
  ],
  ability_invalid_input: [400, 'The input does not fit the input schema of the ability.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const abilityError = createErrors(ABILITY_ERRORS);

const invalidInput = (
  { name }: Ability,
  reason: string,
  data?: Readonly<Record<string, unknown>>,
): RestError =>
  abilityError('ability_invalid_input', {
    message: `Ability "${name}" has invalid input. Reason: ${reason}`,
    ...(data === undefined ? {} : { data }),
  });

/** Arguments by name. Like WordPress, null and an empty text or list stand for none. @throws RestError `ability_invalid_input` */
function toArgs(ability: Ability, input: unknown): Readonly<Record<string, unknown>> {
  if (input === null || input === '' || (Array.isArray(input) && input.length === 0)) return {};
  if (!isObject(input)) throw invalidInput(ability, 'input is not of type object.');
  return input;
}

/** Refuses arguments beside `input`, which would be ignored. @throws RestError `ability_invalid_input` */
function checkPlaces(ability: Ability, { args, sentQuery, request: { body } }: Call): void {
  const sent = body.kind === 'json' && isObject(body.value) ? Object.keys(body.value) : [];
  const names = new Set(ability.action.args.map(([name]) => name));
  const stray = [...sentQuery.map(([name]) => name), ...sent].find(
    (name) => names.has(name) && !Object.hasOwn(args, name),
  );
  if (stray !== undefined)
    throw invalidInput(ability, `${stray} stands beside input. It must be input[${stray}].`);
}

/** What was wrong with the parameters, in the form of WordPress. */
function toReason(params: unknown): string {
  if (Array.isArray(params))
    return params.map((param) => `${String(param)} is a required property of input.`).join(' ');
  return isObject(params) ? Object.values(params).map(String).join(' ') : 'The input is not valid.';
}

/** The error of the ability for one of its endpoint. null: it stays as it is. */
function toAbilityError(ability: Ability, code: string, data: unknown): RestError | null {
  if (code === 'rest_forbidden') return abilityError('rest_ability_cannot_execute');
  if (code.endsWith('_invalid_page_number')) return abilityError('rest_ability_invalid_page_number');
  if (code !== 'rest_invalid_param' && code !== 'rest_missing_callback_param') return null;
  const { status: _status, ...details } = isObject(data) ? data : {};
  return invalidInput(ability, toReason(own(details, 'params')), details);
}

/** @throws RestError for an error that abilities have another code for, or as `runAction` */
async function runChecked(
  ability: Ability,
  args: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<RestResponse> {
  try {
    const response = await runAction(ability.action, args, call);
    const body = response.status < 400 ? null : response.body;
    const error = isObject(body) ? toAbilityError(ability, String(body['code']), body['data']) : null;
    if (error !== null) throw error;
    return response;
  } catch (error) {
    throw (error instanceof RestError ? toAbilityError(ability, error.code, error.data) : null) ?? error;
  }
}

/** A page as an object with its totals, which are sent as headers, too. @throws RestError `rest_ability_invalid_page_number` */
function toPage(response: RestResponse, page: unknown, { site }: Call): RestResponse {
  const names = [vendorHeader(site.names, 'Total'), vendorHeader(site.names, 'TotalPages')];
  const [total, pages] = names.map((name) => Number(own(response.headers, name) ?? 0)) as [number, number];
  if (total > 0 && Number(page ?? 1) > pages) throw abilityError('rest_ability_invalid_page_number');
  const { content } = response;
  const text = content instanceof JsonText ? content.text : JSON.stringify(content);
  return new RestResponse(new JsonText(toObject(site, text, response.headers)), {
    headers: Object.fromEntries(names.map((name) => [name, own(response.headers, name) ?? '0'])),
  });
}

/**
 * Runs the action with the rights of the caller. The result is the body of its response. Errors that abilities have a code for get
 * it; all others are those of the endpoint.
 */
export async function runAbility(ability: Ability, input: unknown, call: Call): Promise<RestResponse> {
  checkPlaces(ability, call);
  const args = toArgs(ability, input);
  const response = await runChecked(ability, args, call);
  const { status, headers, cookies } = response;
  if (status >= 400) return new RestResponse(response.content, { status, headers, cookies });
  if (ability.isPaged) return toPage(response, own(args, 'page'), call);
  return new RestResponse(response.content, { cookies });
}
