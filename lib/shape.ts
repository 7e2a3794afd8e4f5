import type { Call } from './call.ts';
import { bodyParams } from './collect.ts';
import { embedLinks, wantsEmbed } from './embed.ts';
import { selectFields, wantedFields } from './fields.ts';
import type { Embed } from './namespace.ts';
import { own } from './own.ts';
import type { ParsedQuery } from './params.ts';
import { RawBody, type RestResponse } from './response.ts';
import type { LogEvent } from './runtime.ts';
import type { TimeLimit } from './time-limit.ts';
import { whenever } from './whenever.ts';

interface ShapeOptions {
  readonly query: ParsedQuery;
  readonly limit: TimeLimit;
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly log: (event: LogEvent) => void;
}

/** Gives an answer the shape that `_fields` and `_embed` ask for, and its links. A promise only where something is embedded. */
export function shapeResponse(response: RestResponse, call: Call, { query, limit, embeds, log }: ShapeOptions): RestResponse | Promise<RestResponse> {
  if (response.content instanceof RawBody) return response;
  const wanted = (name: string): unknown => own(query.params, name) ?? own(bodyParams(call.request), name);
  const fields = wantedFields(wanted('_fields'));
  const relations = wantsEmbed(wanted('_embed'));
  if (fields === null && relations === null && response.links === null) return response;
  const selected = fields === null ? response.body : selectFields(response.body, fields);
  const linked = response.links === null ? selected : { ...(selected as object), _links: response.links };
  if (relations === null) return response.withContent(linked);
  return whenever(limit.hold(() => embedLinks(linked, { relations, call, embeds, log })), (body) => response.withContent(body));
}
