import {
  type Call,
  type Identity,
  type Operation,
  type Permission,
  and,
  eq,
  oneOf,
} from '../../../lib/index.ts';
import {
  type FieldValue,
  type FieldWrite,
  type Ports,
  createRecordLinks,
  own,
  readChain,
  servicesOf,
} from '../../plugin.ts';
import { COLLECTION, MENU } from './content.ts';
import { menuError } from './plan-item.ts';
import { LOCATION_RESOURCE } from './routes.ts';

const linksOf = createRecordLinks(LOCATION_RESOURCE.links);

/** The arguments of a read of locations. */
export interface LocationArgs {
  readonly location: string;
  readonly ml_fallback?: readonly string[];
}

/** Handlers, permissions and the field of locations. `places`: descriptions by name. */
export function createLocations(
  ports: Ports,
  {
    places,
    maySee,
  }: { readonly places: Readonly<Record<string, string>>; readonly maySee: (identity: Identity) => boolean },
) {
  const { store } = ports;
  const { settings, termBelongings } = servicesOf(ports);
  termBelongings.push((menu) => ({ op: 'removeAll', collection: COLLECTION, where: eq('menu', menu) }));

  async function show(names: readonly string[], { ml_fallback: asked }: Partial<LocationArgs>, call: Call) {
    const chain = readChain(call, asked, await settings());
    const where = and(oneOf('location', names), oneOf('language', chain));
    const rows = (await store.find({ collection: COLLECTION, where })).records;
    const ids = rows.map((row) => Number(row['menu']));
    const menus = await store.find({
      collection: 'terms',
      where: and(oneOf('id', ids), eq('taxonomy', MENU)),
      fields: [],
    });
    const there = new Set(menus.records.map(({ id }) => id));
    return names.map((name) => {
      const menu = chain
        .flatMap((language) => rows.filter((row) => row['location'] === name && row['language'] === language))
        .map((row) => Number(row['menu']))
        .find((id) => there.has(id));
      const location = { name, description: own(places, name) ?? '', menu: menu ?? 0 };
      return { ...location, _links: linksOf(location, call) };
    });
  }
  const see: Permission = (_args, { identity }) => (maySee(identity) ? true : menuError('rest_cannot_view'));
  const find: Permission = (args, call) => {
    const verdict = see(args, call);
    return verdict === true && own(places, String(args['location'])) === undefined
      ? menuError('rest_menu_location_invalid')
      : verdict;
  };
  const value: FieldValue = async (menus) => {
    const where = oneOf(
      'menu',
      menus.map(({ id }) => id),
    );
    const { records } = await store.find({ collection: COLLECTION, where });
    return new Map(
      menus.map(({ id }) => [id, records.filter(({ menu }) => menu === id).map(({ location }) => location)]),
    );
  };
  /** A location has one menu in each language: the last that was given it. */
  const write = async (locations: readonly string[], id: number | { readonly $ref: string }, call: Call) => {
    if (locations.some((name) => own(places, name) === undefined))
      throw menuError('rest_invalid_menu_location');
    const menu = typeof id === 'number' ? await store.get('terms', id) : null;
    const language = call.given.has('ml_language')
      ? call.language
      : String(menu?.['language'] ?? call.language);
    const names = [...new Set(locations)];
    const former = typeof id === 'number' ? [eq('menu', id)] : [];
    return [
      ...[...former, and(oneOf('location', names), eq('language', language))].map((where): Operation => ({
        op: 'removeAll',
        collection: COLLECTION,
        where,
      })),
      ...names.map((location): Operation => ({
        op: 'create',
        collection: COLLECTION,
        values: { location, language, menu: id },
      })),
    ];
  };
  return {
    'menus.locations.see': see,
    'menus.locations.find': find,
    'menus.locations.list': async (args: Partial<LocationArgs>, call: Call) =>
      Object.fromEntries((await show(Object.keys(places), args, call)).map((each) => [each.name, each])),
    'menus.locations.read': async (args: LocationArgs, call: Call) =>
      (await show([args.location], args, call))[0],
    'menus.locations.value': value,
    'menus.locations.write': ((locations, { id }, call) => write(locations, id, call)) as FieldWrite,
  };
}
