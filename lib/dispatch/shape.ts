import { RestError } from '../core/errors.ts';
import { type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import { RecordList } from '../http/record-list.ts';
import type { RestRequest } from '../http/request.ts';
import { RawBody, type RestResponse } from '../http/response.ts';
import { selectFields, type Selection, wantedFields } from '../http/select-fields.ts';
import type { Call } from '../route/call.ts';
import type { Embed } from '../route/namespace.ts';
import { cutHeaders } from '../route/paging.ts';
import { embedLinks, wantsEmbed } from './embed.ts';
import { listParam } from './resolve.ts';
import { toTooLarge } from './response/too-large.ts';
import { type ListManner, writeList } from './response/write-list.ts';
import type { LogEvent } from './runtime.ts';
import type { TimeLimit } from './time-limit.ts';

/** The shape that a request asks for. */
export interface Shape {
  /** null: all fields. */
  readonly fields: Selection | null;
  /** null: nothing is embedded. An empty set: every embeddable relation. */
  readonly relations: ReadonlySet<string> | null;
}

const WHOLE: Shape = Object.freeze({ fields: null, relations: null });

/** Reads `_fields` and `_embed`. @throws RestError `rest_too_many_parameters` */
export function readShape(request: RestRequest, query: ParsedQuery): Shape {
  const [fields, embed] = [listParam('_fields', request, query), listParam('_embed', request, query)];
  return fields === undefined && embed === undefined
    ? WHOLE
    : { fields: wantedFields(fields), relations: wantsEmbed(embed) };
}

interface ShapeOptions {
  readonly shape: Shape;
  readonly limit: TimeLimit;
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly log: (event: LogEvent) => void;
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
}

async function shapeList(
  response: RestResponse,
  list: RecordList,
  { call, ...manner }: ListManner & { readonly call: Call },
): Promise<RestResponse> {
  const written = await writeList(list, manner);
  if (written instanceof RestError) return toTooLarge(response, call.identity, written);
  const whole = response.withContent(written.list);
  return written.count === list.records.length
    ? whole
    : whole.withHeaders(cutHeaders(call, { ...written, from: list.from ?? 0 }));
}

/** Applies the requested shape and adds links; errors keep their shape. A promise only if records are embedded or a list of records is written. */
export function shapeResponse(
  response: RestResponse,
  call: Call,
  { shape: { fields, relations }, limit, embeds, log, answerLimit }: ShapeOptions,
): MaybePromise<RestResponse> {
  const { content } = response;
  if (content instanceof RawBody || (response.status >= 400 && !(content instanceof RecordList)))
    return response;
  const embed =
    relations === null
      ? null
      : (body: unknown): Promise<unknown> => embedLinks(body, { relations, call, embeds, log });
  if (content instanceof RecordList)
    return limit.hold(() =>
      shapeList(response, content, { fields, embed, limit: answerLimit, signal: () => call.signal, call }),
    );
  if (fields === null && relations === null && response.links === null) return response;
  const selected = fields === null ? response.body : selectFields(response.body, fields);
  const linked = response.links === null ? selected : { ...(selected as object), _links: response.links };
  if (embed === null) return response.withContent(linked);
  return thenMaybe(
    limit.hold(() => embed(linked)),
    (body) => response.withContent(body),
  );
}
