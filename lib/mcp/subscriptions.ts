import { isObject } from '../core/objects.ts';
import type { Document } from '../describe/openapi-schema.ts';
import { type ServerEvent, StreamBody } from '../http/stream-body.ts';
import { RpcError, SUBSCRIPTION } from './protocol.ts';
import { type Asked, type McpResources, type McpWatch, metaOf, notFound, uriOf } from './server.ts';

/** Most resources of one subscription: each is read once when it begins. */
const MOST_URIS = 100;

const toEvent = (message: Document): ServerEvent => ({ data: { jsonrpc: '2.0', ...message } });

/** No server keeps a subscription: it is the stream that answers it, and ends with it. */
async function* listen({ watched, updates }: McpWatch, asked: Asked): AsyncGenerator<ServerEvent> {
  const { id, server, isModern } = asked;
  const meta = { _meta: { [SUBSCRIPTION]: id } };
  const notify = (name: string, params: Document): ServerEvent =>
    toEvent({ method: `notifications/${name}`, params: { ...(isModern ? meta : {}), ...params } });
  yield isModern
    ? notify('subscriptions/acknowledged', {
        notifications: watched.length > 0 ? { resourceSubscriptions: watched } : {},
      })
    : toEvent({ id, result: {} });
  for await (const uri of updates) yield notify('resources/updated', { uri });
  if (isModern)
    yield toEvent({
      id,
      result: { resultType: 'complete', _meta: { ...metaOf(server), ...meta._meta } },
    });
}

const open = (watch: McpWatch, asked: Asked): StreamBody => new StreamBody('sse', listen(watch, asked));

/** `subscriptions/listen` of 2026-07-28. */
export async function listenTo(watch: NonNullable<McpResources['watch']>, asked: Asked): Promise<StreamBody> {
  const { notifications } = asked.params;
  if (!isObject(notifications))
    throw new RpcError('invalidParams', 'params.notifications must be an object.');
  const { resourceSubscriptions: uris = [] } = notifications;
  if (
    !Array.isArray(uris) ||
    uris.length > MOST_URIS ||
    !uris.every((uri): uri is string => typeof uri === 'string')
  )
    throw new RpcError(
      'invalidParams',
      `params.notifications.resourceSubscriptions must be a list of at most ${MOST_URIS} URIs.`,
    );
  return open(await watch(uris, asked.call), asked);
}

/** `resources/subscribe` of earlier revisions. */
export async function subscribe(
  watch: NonNullable<McpResources['watch']>,
  asked: Asked,
): Promise<StreamBody> {
  const uri = uriOf(asked);
  const watching = await watch([uri], asked.call);
  if (watching.watched.length === 0) throw notFound(uri, asked);
  return open(watching, asked);
}
