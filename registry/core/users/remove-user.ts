import { RestError, type ErrorBody } from '../../../lib/core/errors.ts';
import { renamePath } from '../../../lib/core/names.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, not, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';
import { TYPES } from '../model/built-in.ts';
import type { ContentType } from '../model/content-type.ts';
import { callInner } from '../post-views/inner-call.ts';
import type { UserRecord } from '../records/user-record.ts';
import { claimRight } from './claim-right.ts';
import type { UserDeps } from './deps.ts';
import { userError } from './errors.ts';
import { refuseRemove } from './rights.ts';

/** Records that are read and written at once. */
const PART = 100;
const BY_ID = [{ field: 'id', direction: 'asc' }] as const;
/** Collections whose records have an author. */
const WRITTEN = ['posts', 'revisions', 'media'] as const;
/** Statuses of a record that another writer has removed meanwhile. */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** As in WordPress, records of these types go to the trash, and records of all others are deleted. */
const TRASHED = new Set(TYPES.filter(({ storage }) => storage !== 'media').map(({ name }) => name));

/** Makes `heir` the author of everything of the user that is still there; 0 for nobody. */
async function reassign({ store }: UserDeps, user: number, heir: number): Promise<void> {
  for (const collection of WRITTEN) {
    for (let last = 0; ;) {
      const { records } = await store.find({
        collection,
        where: and(eq('author', user), { op: 'gt', field: 'id', value: last }),
        order: BY_ID,
        limit: PART,
        fields: [],
      });
      if (records.length === 0) break;
      await store.commit(
        records.map(({ id }): Operation => ({ op: 'update', collection, id, values: { author: heir } })),
      );
      last = records.at(-1)?.id ?? last;
    }
  }
}

async function nextRecord(store: Store, collection: string, where: Predicate): Promise<number | undefined> {
  return (await store.find({ collection, where, order: BY_ID, limit: 1, fields: [] })).records[0]?.id;
}

/** Removes records through the route of their type, which knows what else belongs to them: revisions, counts, files. @throws RestError of that route */
async function discard(
  { store }: UserDeps,
  call: Call,
  { user, type: { name, base, storage } }: { readonly user: number; readonly type: ContentType },
): Promise<void> {
  const toTrash = TRASHED.has(name);
  const ofUser =
    storage === 'media'
      ? eq('author', user)
      : and(
          eq('author', user),
          eq('type', name),
          ...(toTrash ? [not(oneOf('status', ['trash', 'auto-draft']))] : []),
        );
  const path = renamePath(call.site.names, `/cms/v2/${base}`);
  for (let last = 0; ;) {
    const id = await nextRecord(store, storage, and(ofUser, { op: 'gt', field: 'id', value: last }));
    if (id === undefined) return;
    const { status, body } = await callInner(call, {
      method: 'DELETE',
      path: `${path}/${id}`,
      query: toTrash ? '' : 'force=true',
    });
    const error = status >= 400 && !GONE.has(status) ? (body as ErrorBody) : null;
    if (error !== null) throw new RestError(error.code, [status, error.message]);
    last = id;
  }
}

/** The id of the heir; 0 for none. @throws RestError `rest_user_invalid_reassign` */
export async function checkHeir({ store }: UserDeps, user: UserRecord, heir: number): Promise<void> {
  if (heir !== 0 && (heir === user.id || (await store.get('users', heir)) === null))
    throw userError('rest_user_invalid_reassign');
}

/**
 * Gives what the user wrote to the heir, or removes it: posts and pages go to the trash, records of other types and uploads are deleted.
 * This is done in parts before the user is removed, so that a removal that was interrupted can be repeated.
 * @returns what else belongs to the user and is removed in the same commit
 */
export async function disposeOf(
  context: UserDeps,
  call: Call,
  { user, heir }: { readonly user: UserRecord; readonly heir: number },
): Promise<readonly Operation[]> {
  const { store, content } = context;
  const claim = (): Promise<readonly Operation[]> =>
    claimRight(store, call, {
      user: user.id,
      refuse: (now) => refuseRemove(now, user, now.args),
      demotes: 'rest_user_cannot_delete',
      changesUser: true,
    });
  await claim();
  if (heir === 0)
    for (const type of content.types.values())
      if (type.served && type.routes) await discard(context, call, { user: user.id, type });
  await reassign(context, user.id, heir);
  return [
    // Again, because what comes before it may take long.
    ...(await claim()),
    { op: 'removeAll', collection: 'credentials', where: eq('user', user.id) },
    { op: 'removeAll', collection: 'options', where: eq('group', `user:${user.id}`) },
  ];
}
