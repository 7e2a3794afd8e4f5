import { checkDocument, mapOf, objectOf, TEXTS, type DocumentRule } from '../core/check-document.ts';
import { countUpTo, TEXT } from '../core/check-options.ts';
import { isObject } from '../core/objects.ts';
import { TOKEN } from '../http/media-type.ts';
import { MULTIPART, type BodyReading } from '../route/accepts.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { checkNames } from '../schema/check-schema.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const RANGE = new RegExp(`^(?:\\*/\\*|(?!\\*)${TOKEN}/(?:\\*|(?!.*\\*)${TOKEN}))$`);
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const WORDS: ReadonlySet<unknown> = new Set(['args', 'bytes', 'stream']);
const TRUE: DocumentRule = { wanted: 'true', fits: (value) => value === true };
const TYPES: DocumentRule = {
  ...TEXTS,
  wanted: 'a list of media types such as ["image/png"], at least one',
  fits: (value) => Array.isArray(value) && value.length > 0,
};
const FILE = objectOf({ required: TRUE, maxCount: countUpTo(), maxBytes: countUpTo(), types: TYPES });
const READING: DocumentRule = {
  wanted: '"args", "bytes", "stream" or an object with files',
  fits: (value) => WORDS.has(value) || isObject(value),
  members: { capability: TEXT, files: { ...mapOf(FILE), needed: true } },
};
const ACCEPTS = mapOf(READING);

function checkRange(where: string, range: string, reading: BodyReading): void {
  if (!RANGE.test(range) || range !== range.toLowerCase())
    throw new TypeError(
      `${where}: accepts names "${range}", which must be a media type in lower case without parameters, such as "image/png", "image/*" or "*/*"`,
    );
  if (reading === 'args' && range !== JSON_TYPE && range !== FORM_TYPE)
    throw new TypeError(
      `${where}: accepts reads "${range}" as args; only ${JSON_TYPE} and ${FORM_TYPE} hold args, so write "bytes" or "stream"`,
    );
  if (typeof reading !== 'object') return;
  if (range !== MULTIPART)
    throw new TypeError(`${where}: accepts has files for "${range}"; only ${MULTIPART} has files`);
  checkNames(`${where}, files`, reading.files);
}

/** @throws TypeError for an endpoint whose bodies cannot be read as declared */
export function checkAccepts(where: string, endpoint: EndpointDescriptor): void {
  const { accepts, maxBodyBytes, methods, allow_batch: batch } = endpoint;
  if (accepts === undefined) {
    if (maxBodyBytes !== undefined)
      throw new TypeError(`${where}: maxBodyBytes needs accepts; without it the server limits the body`);
    return;
  }
  checkDocument(`${where}: accepts`, accepts, ACCEPTS);
  if (Object.keys(accepts).length === 0)
    throw new TypeError(`${where}: accepts must name a media type, such as "application/json": "args"`);
  for (const [range, reading] of Object.entries(accepts)) checkRange(where, range, reading);
  const bodiless = methods.find((method) => !WITH_BODY.has(method));
  if (bodiless !== undefined)
    throw new TypeError(`${where}: accepts needs methods that have a body, and ${bodiless} has none`);
  if (batch !== undefined && accepts[JSON_TYPE] !== 'args')
    throw new TypeError(
      `${where}: allow_batch needs accepts to read ${JSON_TYPE} as args, because the items of a batch have no other body`,
    );
}
