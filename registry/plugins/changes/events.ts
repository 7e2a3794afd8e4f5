import {
  ANONYMOUS,
  type Change,
  type Json,
  type LoggedValues,
  type Operation,
  type Positions,
  createRequest,
  renamePath,
} from '../../../lib/index.ts';
import { isObject, isRace, own, type PluginSite } from '../../plugin.ts';
import type { Receiver } from './collections.ts';
import type { Cursors } from './cursor.ts';
import { tagsOf, type FeedKind } from './kinds.ts';
import { listReceivers, toDelivery, wants } from './receivers.ts';

/** What the making of events needs of a site. */
export interface EventDeps extends Pick<PluginSite, 'ports' | 'names' | 'dispatch'> {
  readonly kinds: readonly FeedKind[];
  readonly cursors: Cursors;
}

/** Everything that happened to one record in a batch of changes. */
interface Event {
  readonly kind: FeedKind;
  readonly id: number;
  readonly before: LoggedValues | null;
  readonly after: LoggedValues | null;
  /** Those of `after`, or what the record was. */
  readonly facts: LoggedValues;
  /** The status before it changed last; null: it was new. */
  readonly previous: Json;
  readonly last: Change;
}

const statusOf = (facts: LoggedValues | null): Json =>
  facts === null ? null : (own(facts, 'status') ?? null);

/** Several changes of one record are one event: a publish with all that follows from it is one delivery. */
function joinByRecord(kinds: readonly FeedKind[], changes: readonly Change[]): readonly Event[] {
  const events = new Map<string, Event>();
  for (const change of changes) {
    const kind = kinds.find(({ collection }) => collection === change.collection);
    if (kind === undefined) continue;
    const key = `${change.collection} ${change.id}`;
    const known = events.get(key);
    // In the place of the last change, so that the order of the log is kept.
    events.delete(key);
    const before = known === undefined ? change.before : known.before;
    const after = change.op === 'remove' ? null : change.fields;
    events.set(key, {
      kind,
      id: change.id,
      before,
      after,
      facts: after ?? before ?? {},
      previous:
        known !== undefined && statusOf(change.before) === statusOf(change.fields)
          ? known.previous
          : statusOf(change.before),
      last: change,
    });
  }
  return [...events.values()];
}

const isPublic = (facts: LoggedValues | null): boolean => statusOf(facts) === 'publish';

/** The name of an event; null: it is nobody's business outside, such as a change of a draft. */
function nameOf({ kind: { name, noun, typeOf }, before, after, facts }: Event): string | null {
  if (name === 'settings') return own(facts, 'group') === 'site' ? `${noun}.updated` : null;
  // Notes are for those who edit the post, which may be a draft.
  if (name === 'comments' && typeOf(facts) === 'note') return null;
  if (name !== 'posts')
    return `${noun}.${before === null ? 'created' : after === null ? 'removed' : 'updated'}`;
  const [was, is] = [isPublic(before), isPublic(after)];
  if (!was && !is) return null;
  return `${noun}.${is ? (was ? 'updated' : 'published') : 'removed'}`;
}

/** The address of the page of a record, as the API shows it; '' without one. */
async function findLinks(
  { dispatch, names }: EventDeps,
  { kind, id, after }: Event,
  { site }: Receiver,
): Promise<{ readonly link: string; readonly links: Readonly<Record<string, string>> }> {
  const path = after === null ? null : kind.pathOf(after, id);
  if (path === null || after === null) return { link: '', links: {} };
  const language = kind.languageOf(after);
  const request = createRequest(renamePath(names, path), { language, siteUrl: site });
  const { status, body } = await dispatch(request, ANONYMOUS);
  const link = status === 200 && isObject(body) ? String(body['link'] ?? '') : '';
  return { link, links: link === '' || language === '' ? {} : { [language]: link } };
}

async function describe(
  deps: EventDeps,
  { name, event, at }: { readonly name: string; readonly event: Event; readonly at: Positions },
  receiver: Receiver,
): Promise<Operation> {
  const { kind, id, before, after, facts, last } = event;
  const data: Record<string, Json> = {
    id,
    type: kind.typeOf(facts),
    language: kind.languageOf(facts),
    slug: String(own(facts, 'slug') ?? ''),
    ...(await findLinks(deps, event, receiver)),
    tags: [...tagsOf(kind, id, [after, before])],
    cursor: deps.cursors.write({ at }),
    previous_status: event.previous,
  };
  return toDelivery(deps.ports, {
    receiver: receiver.id,
    key: `${receiver.id}:${last.collection}:${last.revision}`,
    event: name,
    subject: `${kind.name} ${id}`,
    body: JSON.stringify({ type: name, timestamp: new Date(last.at).toISOString(), data }),
  });
}

/** Puts a delivery for each event and receiver into the outbox. Called again with the same changes, it adds nothing. */
export async function addDeliveries(deps: EventDeps, changes: readonly Change[]): Promise<void> {
  const { store } = deps.ports;
  const receivers = await listReceivers(deps.ports);
  if (!receivers.some(({ active }) => active)) return;
  const at: Record<string, number> = {};
  for (const event of joinByRecord(deps.kinds, changes)) {
    at[event.last.collection] = event.last.revision;
    const name = nameOf(event);
    if (name === null) continue;
    const [type, language] = [event.kind.typeOf(event.facts), event.kind.languageOf(event.facts)];
    for (const receiver of receivers.filter((each) => wants(each, { event: name, type, language }))) {
      const operation = await describe(deps, { name, event, at: { ...at } }, receiver);
      try {
        await store.commit([operation]);
      } catch (error) {
        // It is there already: these changes are looked at again after a crash.
        if (!isRace(error)) throw error;
      }
    }
  }
}
