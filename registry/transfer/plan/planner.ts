import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { type CollectionDescriptor, describeType, toStoredValue } from '../../../lib/store/collection.ts';
import { desc, oneOf } from '../../../lib/store/query.ts';
import { findFirst, type Store } from '../../../lib/store/store.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import { type StoredMeta, toIndexValues } from '../../core/records/meta-values.ts';
import type { Item } from '../items/item.ts';
import type { Ledger } from '../items/ledger.ts';
import { UNTOLD } from '../items/report.ts';
import { Draft, type Taken } from './draft.ts';
import { type Existing, listKeys, lookUp, settleKeys, toKeyText } from './look-up.ts';
import { GROUPED, listIds, replaceIds, rulesOf } from './references.ts';
import { LateValues } from './route-rules.ts';
import { isSameRecord } from './same-record.ts';

/** Larger than any group number that a site assigns itself. */
const IMPORTED_GROUPS = 2_000_000_000;
const FIRST_SUFFIX = 2;
/** Suffixes are chosen at random after a collision with one that was not looked up. */
const LARGEST_SUFFIX = 1_000_000;

type Fields = Record<string, Json>;

/** Where an item goes: a new record with this id, or a record that the store has already. */
type Place = { readonly id: number; readonly values: Fields } | { readonly same: number };

/** Ids above are not kept. Every later record of the site has a higher id, so one close to the largest possible would be the last. */
const MOST_KEPT = 1_000_000_000_000;

interface PlannerOptions {
  readonly collections: readonly CollectionDescriptor[];
  readonly content: ContentModel;
  readonly ledger: Ledger;
  /** What the site has declared since earlier imports of the source, as of `listDeclared`. */
  readonly late?: ReadonlySet<string>;
  /** A backup of the site is restored, with all of its ids. */
  readonly asItIs?: boolean;
  /** Passwords for users whom the site had before are taken over. */
  readonly credentials?: boolean | undefined;
  /** No plan is committed. */
  readonly dryRun?: boolean | undefined;
}

/** Plans commits: chooses ids and keys, and replaces references. Reads the store, writes nothing. */
export class Planner {
  readonly #store: Store;
  readonly #options: PlannerOptions;
  readonly #collections: ReadonlyMap<string, CollectionDescriptor>;
  readonly #late: LateValues;
  /** Ids of the users whom this run created. */
  readonly #created = new Set<number>();
  /** What the commits of a dry run would have taken: the store does not know it. null: commits are written. */
  readonly #dry: Taken | null;
  #lastIds = new Map<string, number>();
  #firstSuffix = FIRST_SUFFIX;

  constructor(store: Store, options: PlannerOptions) {
    const { collections, ledger, late = new Set(), dryRun = false } = options;
    this.#store = store;
    this.#options = options;
    this.#collections = new Map(collections.map((collection) => [collection.name, collection]));
    this.#late = new LateValues(store, ledger, late);
    this.#dry = dryRun ? { keys: new Map(), taken: new Set() } : null;
  }

  async plan(items: readonly Item[]): Promise<Draft> {
    const { ledger } = this.#options;
    const draft = new Draft(ledger, this.#dry ?? undefined);
    const known = items.filter((item) => this.#collections.has(item.collection));
    const fresh = known.filter((item) => ledger.find(item.collection, item.id) === undefined);
    const existing = await lookUp(this.#store, this.#collections, fresh);
    await this.#loadLastIds(fresh);
    for (const { place, collection } of items.filter((item) => !known.includes(item)))
      draft.leftOut.push({ place, what: collection, reason: 'the site has no such collection' });
    for (const item of known) {
      if (ledger.find(item.collection, item.id) === undefined) this.#planItem(draft, item, existing);
      else draft.kept.push(item.collection);
      if (item.file !== undefined && draft.find(item.collection, item.id) !== undefined)
        draft.files.push(item);
    }
    for (const { item, record, values } of await this.#late.find(draft, known)) {
      const { collection } = item;
      draft.completed.push(collection);
      draft.operations.push({
        op: 'update',
        collection,
        id: record.id,
        values: {
          ...values,
          ...this.#toIndexed({
            ...item,
            values: { ...item.values, meta: {}, ...record, ...values } as Fields,
          }),
        },
        version: record.version,
      });
    }
    await this.#nameUsers(draft);
    return draft;
  }

  /** Must be called after the commit of the draft. */
  accept({ lastIds, operations }: Draft): void {
    this.#firstSuffix = FIRST_SUFFIX;
    for (const operation of operations)
      if (operation.op === 'create' && operation.collection === 'users')
        this.#created.add(Number(operation.values['id']));
    for (const [name, id] of lastIds) this.#lastIds.set(name, id);
  }

  /** Must be called when a commit failed because an id or a key was taken that the plan did not know of. */
  forget(): void {
    this.#lastIds = new Map();
    this.#firstSuffix = Math.floor(Math.random() * LARGEST_SUFFIX) + FIRST_SUFFIX;
  }

  async #loadLastIds(items: readonly Item[]): Promise<void> {
    for (const name of new Set(items.map(({ collection }) => collection))) {
      if (this.#lastIds.has(name)) continue;
      const last = await findFirst(this.#store, {
        collection: name,
        order: [desc('id')],
        fields: [],
      });
      this.#lastIds.set(name, last?.id ?? 0);
    }
  }

  #planItem(draft: Draft, item: Item, existing: Existing): void {
    const { collection, id, place } = item;
    if (draft.find(collection, id) !== undefined) {
      if (collection !== UNTOLD)
        draft.leftOut.push({
          place,
          what: collection,
          reason: `another record of the source has the same id ${id}`,
        });
      return;
    }
    const fault = this.#findFault(item);
    if (fault !== undefined) {
      draft.leftOut.push({ place, what: collection, reason: fault });
      return;
    }
    const { asItIs = false } = this.#options;
    if (collection === 'credentials' && !asItIs && !this.#mayTake(draft, item)) return;
    const wanted = existing.byId.get(`${collection} ${id}`);
    const isFree =
      id > 0 &&
      (asItIs || id <= MOST_KEPT) &&
      wanted === undefined &&
      !draft.taken.has(`${collection} ${id}`);
    const same = wanted !== undefined && isSameRecord(collection, wanted, item.values) ? wanted : null;
    const chosen =
      same === null ? this.#choose(draft, item, { existing, free: isFree ? id : 0 }) : { same: same.id };
    if ('same' in chosen) {
      draft.set(item, chosen.same);
      draft.kept.push(collection);
    } else {
      this.#create(draft, item, chosen);
    }
  }

  /** Whether a password is taken over: that of a user whom this run creates, and with `credentials` that of any other. */
  #mayTake(draft: Draft, { place, collection, values }: Item): boolean {
    const user = draft.find('users', Number(own(values, 'user')));
    if (user === undefined) {
      draft.leftOut.push({
        place,
        what: collection,
        reason: 'its user does not stand before it in the source',
      });
      return false;
    }
    if (this.#created.has(user) || draft.taken.has(`users ${user}`)) return true;
    draft.credentials.push({ place, user });
    return this.#options.credentials === true;
  }

  /** Tells whose passwords were taken over, or left out. */
  async #nameUsers({ credentials, leftOut, logins }: Draft): Promise<void> {
    if (credentials.length === 0) return;
    const { records } = await this.#store.find({
      collection: 'users',
      where: oneOf(
        'id',
        credentials.map(({ user }) => user),
      ),
      fields: ['login'],
    });
    const known = new Map(records.map(({ id, login }) => [id, String(login)]));
    for (const { place, user } of credentials) {
      const login = known.get(user) ?? `user ${user}`;
      if (this.#options.credentials === true) logins.push(login);
      else
        leftOut.push({
          place,
          what: `password of ${login}`,
          reason: 'the site has the user already; --credentials takes it over',
        });
    }
  }

  /** Why the values cannot be stored; undefined if they can. */
  #findFault({ collection, values }: Item): string | undefined {
    const { fields } = this.#collections.get(collection) as CollectionDescriptor;
    for (const [name, value] of Object.entries(values)) {
      const type = own(fields, name)?.type;
      if (type === undefined) return `the site has no field ${name}`;
      if (toStoredValue(type, value) === undefined) return `${name} is not ${describeType(type)}`;
    }
    return undefined;
  }

  #create(draft: Draft, item: Item, { id, values }: { id: number; values: Fields }): void {
    const { collection } = item;
    const descriptor = this.#collections.get(collection) as CollectionDescriptor;
    for (const key of listKeys(descriptor)) {
      const text = toKeyText(descriptor, key, values);
      if (text !== null) draft.keys.set(text, id);
    }
    draft.set(item, id);
    draft.taken.add(`${collection} ${id}`);
    draft.created.push(collection);
    draft.operations.push({ op: 'create', collection, values: { ...values, id } });
  }

  #choose(draft: Draft, item: Item, { existing, free }: { existing: Existing; free: number }): Place {
    const id = free === 0 ? this.#nextId(draft, item.collection) : free;
    draft.lastIds.set(
      item.collection,
      Math.max(id, draft.lastIds.get(item.collection) ?? this.#lastIds.get(item.collection) ?? 0),
    );
    // A record may refer to itself, as a translation group does.
    draft.set(item, id);
    const before = draft.forward.length;
    const values = {
      ...this.#resolve(draft, item, id),
      ...this.#toGroup(draft, item, { id, existing }),
      ...this.#toIndexed(item),
    };
    const same = settleKeys(draft, values, {
      collection: this.#collections.get(item.collection) as CollectionDescriptor,
      existing,
      firstSuffix: this.#firstSuffix,
      place: item.place,
    });
    draft.ids.get(item.collection)?.delete(item.id);
    if (same === null) return { id, values };
    draft.forward.length = before;
    return { same };
  }

  #nextId(draft: Draft, collection: string): number {
    let id = (draft.lastIds.get(collection) ?? this.#lastIds.get(collection) ?? 0) + 1;
    while (draft.taken.has(`${collection} ${id}`)) id += 1;
    return id;
  }

  /** The values with ids of the store instead of those of the source. A value with an id that is not known yet stays as it is until the end. */
  #resolve(draft: Draft, { collection, values }: Item, id: number): Fields {
    const resolved: Fields = { ...values };
    for (const { field, to, kind = 'id' } of rulesOf(
      collection,
      values,
      this.#collections.get(collection)?.fields,
    )) {
      // A text may have ids of several kinds.
      const value = own(resolved, field) as Json | undefined;
      if (value === undefined) continue;
      const refs = listIds(kind, value);
      const isKnown = refs.every((ref) => draft.find(to, ref) !== undefined);
      if (!isKnown) draft.forward.push(...refs.map((ref) => ({ collection, id, field, to, ref })));
      resolved[field] = replaceIds(kind, value, (ref) =>
        isKnown ? (draft.find(to, ref) ?? 0) : Math.max(ref, 0),
      );
    }
    return resolved;
  }

  #toGroup(
    draft: Draft,
    { collection, values }: Item,
    { id, existing }: { id: number; existing: Existing },
  ): Fields {
    const group = Number(own(values, 'group') ?? 0);
    if (!GROUPED.has(collection) || group === 0) return {};
    const known = draft.findGroup(collection, group);
    const number = known ?? (existing.groups.has(`${collection} ${group}`) ? IMPORTED_GROUPS + id : group);
    if (known === undefined) draft.setGroup(collection, group, number);
    return { group: number };
  }

  #toIndexed({ collection, values }: Item): Fields {
    const { types, meta } = this.#options.content;
    const type = collection === 'posts' ? types.get(String(values['type'])) : undefined;
    return type === undefined
      ? {}
      : {
          ...toIndexValues(
            { type, meta: meta.get(type.name) ?? [] },
            (own(values, 'meta') ?? {}) as StoredMeta,
          ),
        };
  }
}
