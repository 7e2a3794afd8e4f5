import { TOKEN } from '../core/text.ts';
interface MediaType {
  /** Lower case: `application/json`. */
  readonly essence: string;
  /** Names in lower case; a repeated name keeps the first value. */
  readonly parameters: ReadonlyMap<string, string>;
}

const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`, 'y');
const PARAMETER = new RegExp(
  `;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t -\\x7e\\x80-\\xff])*)"))?[ \\t]*`,
  'y',
);

/** Parses a Content-Type field strictly (RFC 9110 8.3.1); null if it is not valid. */
export function parseMediaType(text: string): MediaType | null {
  ESSENCE.lastIndex = 0;
  const essence = ESSENCE.exec(text)?.[1]?.toLowerCase();
  if (essence === undefined) return null;
  const parameters = new Map<string, string>();
  for (let at = ESSENCE.lastIndex; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return null;
    const name = match[1]?.toLowerCase();
    const value = match[2] ?? match[3]?.replaceAll(/\\(.)/g, '$1') ?? '';
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value);
  }
  return { essence, parameters };
}

/** Whether documents of this type are JSON: `application/json` and `application/*+json`. */
export function isJson(essence: string): boolean {
  return essence === 'application/json' || (essence.startsWith('application/') && essence.endsWith('+json'));
}

/** Whether a Content-Type is JSON. Forms never send such a type. */
export function isJsonType(contentType: string | undefined): boolean {
  return isJson(parseMediaType(contentType ?? '')?.essence ?? '');
}

/** How specifically a range names a type: 0 not at all, 1 any, 2 any subtype, 3 the type. */
function fitOf(range: string, type: string): number {
  if (range === type) return 3;
  if (range === '*/*') return 1;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 2 : 0;
}

/** The quality of the most specific range that names the type. 0: it is not acceptable. */
function qualityOf(ranges: readonly MediaType[], type: string): number {
  let [best, quality] = [0, 0];
  for (const { essence, parameters } of ranges) {
    const fit = fitOf(essence, type);
    if (fit <= best) continue;
    best = fit;
    quality = Number(parameters.get('q') ?? 1);
  }
  return quality;
}

/**
 * The media type that a client prefers (RFC 9110 12.5.1); the first of those that it likes as well. `accept`: its header. Without
 * one, everything is acceptable. `types`: essences in lower case, such as `text/event-stream`. null: none is acceptable.
 */
export function chooseType<T extends string>(accept: string | undefined, types: readonly T[]): T | null {
  if (accept === undefined || accept.trim() === '') return types[0] ?? null;
  const ranges = accept
    .split(',')
    .map(parseMediaType)
    .filter((range) => range !== null);
  let [chosen, best]: [T | null, number] = [null, 0];
  for (const type of types) {
    const quality = qualityOf(ranges, type);
    if (quality > best) [chosen, best] = [type, quality];
  }
  return chosen;
}

/** The headers of a response that is the same whatever the client accepts. */
export function withoutAccept(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { Vary: vary, ...others } = headers;
  if (vary === undefined) return headers;
  const names = vary.split(',').map((name) => name.trim());
  const left = names.filter((name) => name !== 'Accept').join(', ');
  return left === '' ? others : { ...others, Vary: left };
}
