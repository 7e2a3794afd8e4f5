import { engineError, RestError, toErrorBody, toStatus } from '../core/errors.ts';
import { isObject, kindOf, own } from '../core/objects.ts';
import { RestResponse } from '../http/response.ts';
import { checkJson } from '../json/json-loss.ts';
import type { Call } from '../route/call.ts';
import type { Embed } from '../route/namespace.ts';
import { wordsOf } from '../schema/coerce.ts';
import { logFailure, nameDeparture } from './failure.ts';
import type { LogEvent } from './runtime.ts';

const INTERNAL_ERROR = 500;

/** Most relations of one request. */
const RELATION_LIMIT = 100;

/** Reads `_embed`. null: not requested. An empty set: every embeddable relation. @throws RestError `rest_too_many_parameters` */
export function wantsEmbed(value: unknown): ReadonlySet<string> | null {
  if (value === undefined) return null;
  const words = wordsOf(value, RELATION_LIMIT);
  if (words === null)
    throw engineError('rest_too_many_parameters', {
      message: `_embed names more than ${RELATION_LIMIT} relations.`,
    });
  if (words.length === 0 || (words.length === 1 && (words[0] === '1' || words[0] === 'true')))
    return new Set();
  return new Set(words);
}

interface EmbedOptions {
  readonly relations: ReadonlySet<string>;
  readonly call: Call;
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly log: (event: LogEvent) => void;
}

/** Loads the target of a link. A record that cannot be shown is embedded as its error. If the store is not available, the whole response fails. */
async function loadTarget(embed: Embed, href: string, { call, log }: EmbedOptions): Promise<unknown> {
  try {
    const value = await embed(href, call);
    if (value instanceof RestError) throw value;
    if (typeof value !== 'object' || value instanceof RestResponse) {
      throw new TypeError(
        `the loader of ${href} returned ${kindOf(value)}; it must return the record, or null if the caller may not see it`,
      );
    }
    checkJson(`the loader of ${href} returned`, value);
    return value;
  } catch (thrown) {
    const error = logFailure(nameDeparture(thrown, call.request), log, `embedding ${href}`);
    if (toStatus(error, call.identity) > INTERNAL_ERROR) throw error;
    return toErrorBody(error, call.identity);
  }
}

function isEmbeddable(link: unknown): link is { readonly href: string } {
  return isObject(link) && link['embeddable'] === true && typeof link['href'] === 'string';
}

async function embedRecord(
  record: Readonly<Record<string, unknown>>,
  options: EmbedOptions,
): Promise<unknown> {
  const { relations, call, embeds } = options;
  const links = record['_links'];
  if (!isObject(links)) return record;
  const embedded: Record<string, unknown> = {};
  for (const [relation, embed] of Object.entries(embeds)) {
    const targets =
      (own(links as Readonly<Record<string, unknown>>, relation) as readonly unknown[] | undefined)?.filter(
        isEmbeddable,
      ) ?? [];
    if (targets.length === 0 || (relations.size > 0 && !relations.has(relation))) continue;
    // Many records of a list link to the same author or term, which is loaded once.
    const loaded = await Promise.all(
      targets.map(({ href }) => call.once(`embed ${href}`, () => loadTarget(embed, href, options))),
    );
    const shown = loaded.filter((value) => value !== null);
    if (shown.length > 0) embedded[relation] = shown;
  }
  return Object.keys(embedded).length === 0 ? record : { ...record, _embedded: embedded };
}

/** Adds `_embedded` to a record, or to each record of a list. */
export async function embedLinks(body: unknown, options: EmbedOptions): Promise<unknown> {
  if (Array.isArray(body))
    return Promise.all(body.map((item: unknown) => (isObject(item) ? embedRecord(item, options) : item)));
  return isObject(body) ? embedRecord(body, options) : body;
}
