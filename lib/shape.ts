import type { Call } from './call.ts';
import { listParam } from './collect.ts';
import { embedLinks, wantsEmbed } from './embed.ts';
import { selectFields, wantedFields, type Selection } from './fields.ts';
import type { Embed } from './namespace.ts';
import type { ParsedQuery } from './params.ts';
import type { RestRequest } from './request.ts';
import { RawBody, type RestResponse } from './response.ts';
import type { LogEvent } from './runtime.ts';
import type { TimeLimit } from './time-limit.ts';
import { whenever } from './whenever.ts';

/** The shape that a request asks for. */
export interface Shape {
  /** null: all fields. */
  readonly fields: Selection | null;
  /** null: nothing is embedded; empty: every embeddable relation. */
  readonly relations: ReadonlySet<string> | null;
}

/** Reads `_fields` and `_embed`. @throws RestError `rest_too_many_parameters` */
export function readShape(request: RestRequest, query: ParsedQuery): Shape {
  return { fields: wantedFields(listParam('_fields', request, query)), relations: wantsEmbed(listParam('_embed', request, query)) };
}

interface ShapeOptions {
  readonly shape: Shape;
  readonly limit: TimeLimit;
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly log: (event: LogEvent) => void;
}

/** Gives an answer the wanted shape, and its links. A promise only where something is embedded. */
export function shapeResponse(response: RestResponse, call: Call, { shape: { fields, relations }, limit, embeds, log }: ShapeOptions): RestResponse | Promise<RestResponse> {
  if (response.content instanceof RawBody) return response;
  if (fields === null && relations === null && response.links === null) return response;
  const selected = fields === null ? response.body : selectFields(response.body, fields);
  const linked = response.links === null ? selected : { ...(selected as object), _links: response.links };
  if (relations === null) return response.withContent(linked);
  return whenever(limit.hold(() => embedLinks(linked, { relations, call, embeds, log })), (body) => response.withContent(body));
}
