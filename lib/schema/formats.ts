/** Dates of the site have no time zone, which the format of JSON Schema requires. Only the form and the range of the time are checked. */
export const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** A format whose check, or whose failure, is not that of ajv-formats. */
interface Format {
  /** True: every text fits. Default: the check of ajv-formats. */
  readonly check?: RegExp | true;
  /** Formats of ajv-formats of which one must fit. */
  readonly either?: readonly string[];
  /** Code and message of its failure; `{param}` stands for the parameter. Default: `rest_invalid_format`, which names the format. */
  readonly failure?: readonly [code: string, message: string];
}

/** The formats of parameters beside those of ajv-formats: a new one is one entry. */
export const FORMATS: Readonly<Record<string, Format>> = {
  'date-time': { check: DATE_TIME, failure: ['rest_invalid_date', 'Invalid date.'] },
  email: { failure: ['rest_invalid_email', 'Invalid email address.'] },
  uuid: { failure: ['rest_invalid_uuid', 'Invalid UUID.'] },
  'hex-color': {
    check: /^#(?:[\da-fA-F]{3}){1,2}$/,
    failure: ['rest_invalid_hex_color', 'Invalid hex color.'],
  },
  ip: { either: ['ipv4', 'ipv6'], failure: ['rest_invalid_ip', '{param} is not a valid IP address.'] },
  // An address is not checked here. The route that opens it decides: an invalid one is "not found".
  uri: { check: true },
};
