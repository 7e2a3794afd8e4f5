import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import type { FieldAction, TextKey, XmlConfig } from '../xml-config/xml-config.ts';
import { readJsonText } from './json-text.ts';

/** A text within the custom fields. `path` leads to it, starting with the name of the field. */
export interface MetaText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Custom fields that hold a list as JSON text, and the texts in it. */
const JSON_TEXTS: ReadonlyMap<string, readonly TextKey[]> = new Map([
  ['footnotes', [{ name: '*', keys: [{ name: 'content', keys: [] }] }]],
]);

type Meta = Readonly<Record<string, Json>>;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isMembers = (value: Json): value is Meta =>
  typeof value === 'object' && value !== null && !isList(value);

const entriesOf = (value: Json): readonly (readonly [string, Json])[] =>
  isList(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isMembers(value)
      ? Object.entries(value)
      : [];

/** `keys` null: the value is a string or a list of strings. Otherwise only the texts under the keys are read. */
function listTexts(value: Json, keys: readonly TextKey[] | null, path: readonly string[]): MetaText[] {
  if (typeof value === 'string') return keys === null || keys.length === 0 ? [{ path, text: value }] : [];
  if (keys === null)
    return isList(value)
      ? value.flatMap((item, index) =>
          typeof item === 'string' ? [{ path: [...path, String(index)], text: item }] : [],
        )
      : [];
  return entriesOf(value).flatMap(([name, member]) => {
    const key = keys.find((each) => each.name === name) ?? keys.find((each) => each.name === '*');
    return key === undefined ? [] : listTexts(member, key.keys, [...path, name]);
  });
}

const actionOf = (config: XmlConfig, name: string): FieldAction =>
  config.texts.some((key) => key.name === name) ? 'translate' : (config.fields.get(name) ?? 'ignore');

/** The custom field texts that the configuration marks for translation. */
export function readMeta(meta: Meta, config: XmlConfig): readonly MetaText[] {
  return Object.entries(meta).flatMap(([name, value]) => {
    if (actionOf(config, name) !== 'translate') return [];
    const inJson = JSON_TEXTS.get(name);
    if (inJson !== undefined && typeof value === 'string')
      return listTexts(readJsonText(value) ?? null, inJson, [name]);
    return listTexts(value, config.texts.find((key) => key.name === name)?.keys ?? null, [name]);
  });
}

function replaceText(value: Json, [name, ...rest]: readonly string[], text: string): Json {
  if (name === undefined) return text;
  if (isList(value))
    return value.map((item, index) => (String(index) === name ? replaceText(item, rest, text) : item));
  // Not a spread with a computed name, because `__proto__` must remain an ordinary key.
  if (isMembers(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === name ? replaceText(member, rest, text) : member,
      ]),
    );
  return value;
}

/** A JSON text whose inner texts did not change stays byte for byte. */
function replaceTexts(value: Json, texts: readonly MetaText[]): Json {
  const whole = texts.find(({ path }) => path.length === 1);
  if (whole !== undefined) return whole.text;
  const json = typeof value === 'string' ? readJsonText(value) : undefined;
  const replaced = texts.reduce(
    (result, { path, text }) => replaceText(result, path.slice(1), text),
    json ?? value,
  );
  if (json === undefined) return replaced;
  const written = JSON.stringify(replaced);
  return written === JSON.stringify(json) ? value : written;
}

/** Custom fields of the translation. `previous`: its current fields; null when it is new. */
export interface MetaParts {
  readonly source: Meta;
  readonly previous: Meta | null;
  readonly translated: readonly MetaText[];
}

/** Translates, copies or ignores each custom field, as configured. A field to be copied that the source no longer has is removed. */
export function writeMeta({ source, previous, translated }: MetaParts, config: XmlConfig): Meta {
  const kept = new Map<string, Json>(
    Object.entries(previous ?? {}).filter(
      ([name]) => Object.hasOwn(source, name) || actionOf(config, name) !== 'copy',
    ),
  );
  for (const [name, value] of Object.entries(source)) {
    const action = actionOf(config, name);
    if (action === 'copy' || (action === 'copy-once' && !kept.has(name))) kept.set(name, value);
    if (action !== 'translate') continue;
    kept.set(
      name,
      replaceTexts(
        value,
        translated.filter(({ path }) => path[0] === name),
      ),
    );
  }
  return Object.fromEntries(kept);
}
