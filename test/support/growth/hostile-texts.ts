// Kinds of text that make a careless function slow: what opens without an end, ends without a beginning, nests, alternates, or
// nearly matches over and over. Each kind is a unit in a shape, and can have any length.

/** What opens, and what closes it. A unit without an end of its own is closed by something else. */
const UNITS: readonly (readonly [open: string, close: string])[] = [
  ['a', 'A'],
  [' ', 'x'],
  ['\n', ' \t'],
  ['-', '>'],
  ['/', 'x'],
  ['\\', '"'],
  ['.', '!'],
  [',', ';'],
  ['0', 'e'],
  ['%', '%zz'],
  ['%25', '%2'],
  ['&', ';'],
  ['&amp;', '&lt'],
  ['&#', ';'],
  ['?key=', '&'],
  ['=', '"'],
  ['"', "'"],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['<a ', '>'],
  ['<p>', '</p>'],
  ['<b>', '</i>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<script>', '</script>'],
  ['<a title="', '">'],
  ['<div style="color:', 'red">'],
  ['<!-- wp:a {"b":', '} -->'],
  ['[gallery ', '[/gallery]'],
  ['[caption]', '[/caption'],
  ['https://a.', '/@'],
  ['@a', '.b'],
  ['a:', '1;'],
  ['\u0301', 'e'],
  ['\u{1f600}', '\ud83d'],
  ['İ', 'ſs'],
  ['/*', '*/'],
  ['eyJ', '-----BEGIN PRIVATE KEY-----\n'],
];

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

type Shape = (open: string, close: string, length: number) => string;

const SHAPES: Readonly<Record<string, Shape>> = {
  repeated: (open, _close, length) => fill(open, length),
  'ended wrongly': (open, close, length) => `${close}a${fill(open, length)}\u{1}${close}`,
  nested: (open, close, length) => `${fill(open, length / 2)}${fill(close, length / 2)}`,
  alternating: (open, close, length) => fill(`${open}${close}`, length),
  'opened once': (open, close, length) =>
    `${open}${fill(`a ${close.slice(0, -1)}${open.slice(0, -1)}`, length)}`,
};

export interface TextKind {
  readonly name: string;
  readonly make: (length: number) => string;
}

/** 200 kinds: 40 units in 5 shapes. */
export const TEXT_KINDS: readonly TextKind[] = UNITS.flatMap(([open, close]) =>
  Object.entries(SHAPES).map(([shape, make]) => ({
    name: `${JSON.stringify(open)} ${shape}`,
    make: (length) => make(open, close, length),
  })),
);
