import { own } from '../core/objects.ts';
import { FORMATS } from './formats.ts';
import type { Invalid } from './invalid.ts';
import type { Json } from './schema-dialect.ts';

/** A failed keyword, as the validator reports it. `at`: the parameter with the path to the value: `requests[0][body]`. */
interface Failure {
  readonly keyword: string;
  readonly at: string;
  readonly limits: Readonly<Record<string, unknown>>;
  /** The schema that contains the failed keyword. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** "a", "a and b", "a, b, and c". */
export function toSentence(words: readonly unknown[]): string {
  const texts = words.map(String);
  if (texts.length < 3) return texts.join(' and ');
  return `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1)}`;
}

const invalid = (code: string, message: string, data: Json = null): Invalid => ({
  code,
  message,
  data,
});

function describeEnum({ at, limits }: Failure): Invalid {
  const allowed = limits['allowedValues'] as readonly unknown[];
  return invalid(
    'rest_not_in_enum',
    allowed.length === 1
      ? `${at} is not ${String(allowed[0])}.`
      : `${at} is not one of ${toSentence(allowed)}.`,
  );
}

function describeBounds({ at, schema }: Failure): Invalid {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) {
    return invalid(
      'rest_out_of_bounds',
      `${at} must be between ${String(minimum)} (inclusive) and ${String(maximum)} (inclusive)`,
    );
  }
  return minimum === undefined
    ? invalid('rest_out_of_bounds', `${at} must be less than or equal to ${String(maximum)}`)
    : invalid('rest_out_of_bounds', `${at} must be greater than or equal to ${String(minimum)}`);
}

/** "1 item", "2 items". */
const count = (limit: unknown, word: string): string => `${String(limit)} ${word}${limit === 1 ? '' : 's'}`;

/** A list with too many items. */
export function tooManyItems(at: string, limit: unknown): Invalid {
  return invalid('rest_too_many_items', `${at} must contain at most ${count(limit, 'item')}.`);
}

/** A text that is too long. */
export function tooLong(at: string, limit: unknown): Invalid {
  return invalid('rest_too_long', `${at} must be at most ${count(limit, 'character')} long.`);
}

function describeFormat({ at, limits }: Failure): Invalid {
  const format = String(limits['format']);
  const [code, message] = own(FORMATS, format)?.failure ?? [
    'rest_invalid_format',
    `${at} is not a valid ${format}.`,
  ];
  return invalid(code, message.replace('{param}', at));
}

const MESSAGES: Readonly<Record<string, (failure: Failure) => Invalid>> = {
  type: ({ at, limits }) =>
    invalid('rest_invalid_type', `${at} is not of type ${String(limits['type'])}.`, { param: at }),
  enum: describeEnum,
  minimum: describeBounds,
  maximum: describeBounds,
  format: describeFormat,
  pattern: ({ at, limits }) =>
    invalid('rest_invalid_pattern', `${at} does not match pattern ${String(limits['pattern'])}.`),
  minLength: ({ at, limits }) =>
    invalid('rest_too_short', `${at} must be at least ${count(limits['limit'], 'character')} long.`),
  maxLength: ({ at, limits }) => tooLong(at, limits['limit']),
  minItems: ({ at, limits }) =>
    invalid('rest_too_few_items', `${at} must contain at least ${count(limits['limit'], 'item')}.`),
  maxItems: ({ at, limits }) => tooManyItems(at, limits['limit']),
  uniqueItems: ({ at }) => invalid('rest_duplicate_items', `${at} has duplicate items.`),
  required: ({ at, limits }) =>
    invalid(
      'rest_property_required',
      `${String(limits['missingProperty'])} is a required property of ${at}.`,
    ),
  additionalProperties: ({ limits }) =>
    invalid(
      'rest_additional_properties_forbidden',
      `${String(limits['additionalProperty'])} is not a valid property of Object.`,
    ),
};

/** The wire form of a failed keyword. */
export function describeFailure(failure: Failure): Invalid {
  return (
    own(MESSAGES, failure.keyword)?.(failure) ?? invalid('rest_invalid_param', `${failure.at} is not valid.`)
  );
}
