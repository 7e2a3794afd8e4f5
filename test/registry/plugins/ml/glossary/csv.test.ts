import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CsvError, readCsv } from '../../../../../registry/plugins/ml/glossary/import-csv.ts';

const cellsOf = (text: string): unknown => [...readCsv(text)].map(({ line, cells }) => [line, cells].flat());

const csv = suite('readCsv');
for (const [text, expected] of [
  ['', []],
  [
    'a,b\n1,2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n1,5;2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1,5', '2'],
    ],
  ],
  [
    'a\tb\n\n \t\n1\t',
    [
      [1, 'a', 'b'],
      [2, ''],
      [3, ' ', ''],
      [4, '1', ''],
    ],
  ],
  [
    'a,b\n"x ""y"", z","1\n2"\n3,',
    [
      [1, 'a', 'b'],
      [2, 'x "y", z', '1\n2'],
      [4, '3', ''],
    ],
  ],
  [
    'a,b\nit is "so",2\n',
    [
      [1, 'a', 'b'],
      [2, 'it is "so"', '2'],
    ],
  ],
  [
    'a, b\n"1", "2"\n"3"\t,  "4, 5"  \n 6 , 7 ',
    [
      [1, 'a', ' b'],
      [2, '1', '2'],
      [3, '3', '4, 5'],
      [4, ' 6 ', ' 7 '],
    ],
  ],
  [
    'a\tb\n"1" \t "2"\n\t"3"',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
      [3, '', '3'],
    ],
  ],
  [
    '\uFEFFsep=;\r\na;b\r\n1,5;2',
    [
      [2, 'a', 'b'],
      [3, '1,5', '2'],
    ],
  ],
  ['"SEP=|"\na|b', [[2, 'a', 'b']]],
  ['sep=\t\na\tb', [[2, 'a', 'b']]],
  ['sep=^\na^b]', [[2, 'a', 'b]']]],
  ['sep=,', []],
  [
    'a;b\r"1\r2";3\r\r4;5\r',
    [
      [1, 'a', 'b'],
      [2, '1\r2', '3'],
      [4, ''],
      [5, '4', '5'],
    ],
  ],
  [
    '\n\na;b',
    [
      [1, ''],
      [2, ''],
      [3, 'a', 'b'],
    ],
  ],
  [
    'a,b\n,,\n"",x',
    [
      [1, 'a', 'b'],
      [2, '', '', ''],
      [3, '', 'x'],
    ],
  ],
] as const)
  csv(JSON.stringify(text), () => {
    assert.equal(cellsOf(text), expected);
  });
for (const [text, line] of [
  ['a\n"x', 2],
  ['a\n"x"y', 2],
  ['a\n1\n2\n"', 4],
  ['a\n"x" y', 2],
  ['a\n "x"y"', 2],
  ['sep=;\ra\r"x', 3],
] as const) {
  csv(`refuses ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => cellsOf(text),
      (error: unknown) => error instanceof CsvError && error.line === line,
    );
  });
}
csv('refuses a record with very many cells', () => {
  assert.is([...readCsv(','.repeat(999))][0]?.cells.length, 1000);
  assert.throws(
    () => cellsOf(`a\n${','.repeat(1000)}`),
    (error: unknown) => error instanceof CsvError && error.line === 2,
  );
});
csv.run();
