import {
  type ArgSchemas,
  type Call,
  type Permission,
  RecordList,
  type RestError,
  RestResponse,
  effectOf,
  idempotenceOf,
  pageHeaders,
  type Document,
  summaryOf,
  toBodySchema,
  toTool,
  untrustedOf,
} from '../../../lib/index.ts';
import {
  type FunctionsOf,
  type PluginSite,
  type RecordLinks,
  type RecordRenderer,
  type Renderers,
  createRecordLinks,
  createRecordRenderer,
  isObject,
  own,
  suggest,
  toOffset,
} from '../../plugin.ts';
import { abilitiesOf, type Ability, abilityError, type Category, runAbility } from './abilities.ts';
import { type ABILITIES, LINKS, RESOURCES } from './routes.ts';

/** What a record is shown for. */
interface Shown<T> {
  readonly item: T;
  readonly call: Call;
}

/** Without a schema of its own, the input of an ability that needs none is empty. */
function toInput(ability: Ability, call: Call): Document {
  const { inputSchema } = toTool(ability.action, call) as { readonly inputSchema: Document };
  return own(inputSchema, 'required') === undefined ? { ...inputSchema, default: {} } : inputSchema;
}

function toMeta({ action, isPaged }: Ability, { site }: Call): Document {
  const { endpoint } = action;
  const effect = effectOf(endpoint);
  const untrusted = untrustedOf(action, site.names);
  return {
    annotations: {
      readonly: effect === 'read',
      destructive: effect === 'destroy',
      idempotent: idempotenceOf(endpoint) === true,
    },
    public: true,
    show_in_rest: true,
    ...(isPaged ? { pagination: true } : {}),
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    ...(untrusted.length > 0 ? { untrusted } : {}),
  };
}

const ABILITY: Renderers<Shown<Ability>> = {
  name: ({ item }) => item.name,
  label: ({ item, call }) => summaryOf(item.action, call.site),
  description: ({ item, call }) => toTool(item.action, call)['description'],
  category: ({ item }) => item.category,
  input_schema: ({ item, call }) => toInput(item, call),
  output_schema: ({ item, call }) => toBodySchema(call.site, item.action),
  meta: ({ item, call }) => toMeta(item, call),
};

const CATEGORY: Renderers<Shown<Category>> = {
  slug: ({ item }) => item.slug,
  label: ({ item }) => item.label,
  description: ({ item }) => `The endpoints of ${item.label}.`,
  meta: () => ({}),
};

/** Whether each member of `wanted` is in `value`, at any depth. */
function holds(value: unknown, wanted: unknown): boolean {
  return isObject(wanted) && isObject(value)
    ? Object.entries(wanted).every(([name, each]) => holds(own(value, name), each))
    : value === wanted;
}

interface ListArgs {
  readonly context: string;
  readonly page: number;
  readonly per_page: number;
}

type Show<T> = RecordRenderer<Shown<T>>;

/** One page of a list that is in memory. */
function toPage<T>(
  items: readonly T[],
  show: Show<T>,
  { args, call }: { args: ListArgs; call: Call },
): RestResponse {
  const { page, per_page: perPage, context } = args;
  const from = toOffset({ page, perPage });
  const { names } = call.site;
  const list = new RecordList(
    items.slice(from, from + perPage),
    (item, fields) => show({ item, call }, { context, names, fields }),
    from,
  );
  return new RestResponse(list, { headers: pageHeaders(call, { page, perPage, total: items.length }) });
}

interface NameArgs {
  readonly namespace?: unknown;
  readonly ability?: unknown;
}

const findAbility = ({ namespace, ability }: NameArgs, { site }: Call): Ability | undefined =>
  abilitiesOf(site).byName.get(`${String(namespace)}/${String(ability)}`);

/** The error for a name that no ability has, with the nearest one for callers who are known, because it costs time. */
function notFound({ namespace, ability }: NameArgs, { site, identity }: Call): RestError {
  const known = identity.id === 0 ? [] : [...abilitiesOf(site).byName.keys()];
  const nearest = suggest(`${String(namespace)}/${String(ability)}`, known);
  return abilityError('rest_ability_not_found', { message: `Ability not found.${nearest}` });
}

function needAbility(args: NameArgs, call: Call): Ability {
  const found = findAbility(args, call);
  if (found === undefined) throw notFound(args, call);
  return found;
}

const ADVICE = {
  GET: 'Read-only abilities require GET method.',
  POST: 'Abilities that perform updates require POST method.',
  DELETE: 'Abilities that perform destructive actions require DELETE method.',
} as const;

/** Whether the ability exists and runs by this method. Whether the caller may run it is for its endpoint to say. */
const mayReach: Permission = (args, call) => {
  const ability = findAbility(args, call);
  if (ability === undefined) return notFound(args, call);
  const { method } = call.request;
  if (method === ability.method || method === 'OPTIONS' || (method === 'HEAD' && ability.method === 'GET'))
    return true;
  return abilityError('rest_ability_invalid_method', {
    message: ADVICE[ability.method],
    headers: { Allow: ability.method },
  });
};

/** The functions of the plugin. */
export function createAbilities({ log }: PluginSite): FunctionsOf<typeof ABILITIES> {
  const toShow = <T>(properties: ArgSchemas, renderers: Renderers<Shown<T>>, links: RecordLinks): Show<T> =>
    createRecordRenderer(properties, renderers, {
      links: ({ item, call }) => links(item as Readonly<Record<string, unknown>>, call),
      onFault: (_shown, { field, error }) =>
        log({ level: 'error', message: `${field} of an ability could not be rendered`, error }),
    });
  const { ability, category } = RESOURCES;
  const showAbility = toShow<Ability>(ability.properties, ABILITY, createRecordLinks(LINKS.ability));
  const showCategory = toShow<Category>(category.properties, CATEGORY, createRecordLinks(LINKS.category));
  return {
    'abilities.reach': mayReach,
    'abilities.list': (args, call) => {
      const found = [...abilitiesOf(call.site).byName.values()].filter(
        (each) =>
          (args.category === undefined || args.category === '' || each.category === args.category) &&
          (args.namespace === undefined || args.namespace === '' || each.namespace === args.namespace) &&
          (args.meta === undefined || holds(toMeta(each, call), args.meta)),
      );
      return toPage(found, showAbility, { args, call });
    },
    'abilities.read': (args, call) =>
      showAbility({ item: needAbility(args, call), call }, { context: args.context, names: call.site.names }),
    'abilities.run': (args, call) => runAbility(needAbility(args, call), args.input, call),
    'abilities.categories.list': (args, call) =>
      toPage([...abilitiesOf(call.site).categories.values()], showCategory, { args, call }),
    'abilities.categories.read': ({ slug, context }, call) => {
      const item = abilitiesOf(call.site).categories.get(slug);
      if (item === undefined) throw abilityError('rest_ability_category_not_found');
      return showCategory({ item, call }, { context, names: call.site.names });
    },
  };
}
