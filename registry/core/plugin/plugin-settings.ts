import { describe, OBJECT } from '../../../lib/core/check-options.ts';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { own } from '../../../lib/core/objects.ts';
import { coerce } from '../../../lib/schema/coerce.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { defaultOf } from '../../../lib/schema/schema.ts';
import { Validators } from '../../../lib/schema/validate.ts';

type Settings = Readonly<Record<string, unknown>>;

const validators = new Validators();

/** A setting by the rules of args: coerced, and its default if it is not given. */
const read = (schema: ArgSchema, given: unknown): unknown =>
  given === undefined ? defaultOf(schema) : coerce(schema, given);

/** The mistakes of the settings of a plugin. `place`: what messages call their object, such as `config.reading`. */
export function* listSettingFaults(place: string, settings: unknown, schemas: ArgSchemas): Generator<string> {
  if (!OBJECT.fits(settings)) {
    yield `${place}: ${describe(settings)} is not an object`;
    return;
  }
  const known = Object.keys(schemas);
  const given = settings as Settings;
  for (const name of Object.keys(given).filter((each) => !known.includes(each)))
    yield `${place}.${name}: unknown member; ${known.length === 0 ? 'the plugin has no settings' : `the members are ${known.join(', ')}`}.${suggest(name, known)}`;
  for (const [name, schema] of Object.entries(schemas)) {
    const value = read(schema, own(given, name));
    const at = `${place}.${name}`;
    if (value !== undefined) {
      const fault = validators.compile(schema)(at, value);
      if (fault !== null) yield fault.message;
    } else if (schema.required === true)
      yield `${at} is missing; it must be of type ${[schema.type].flat().join(' or ')}`;
  }
}

/** The settings of a plugin, with their defaults. `given`: as the host wrote them, without mistakes. */
export function readPluginSettings(given: unknown, schemas: ArgSchemas): Settings {
  const settings = (given ?? {}) as Settings;
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]) => [name, read(schema, own(settings, name))] as const)
      .filter(([, value]) => value !== undefined),
  );
}
