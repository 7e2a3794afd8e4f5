import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseDate,
  toGmt,
  toSiteTime,
  toStamp,
  toZone,
} from '../../../../registry/core/content/site-time.ts';

const AMSTERDAM = toZone('Europe/Amsterdam');
const stamp = (date: string, dateGmt: string) => ({ date, date_gmt: dateGmt });

const parsing = suite('parseDate');
const READ: readonly (readonly [text: string, date: string, gmt: string])[] = [
  ['2020-07-01T12:00:00', '2020-07-01T12:00:00', '2020-07-01T10:00:00'],
  ['2020-07-01 12:00:00', '2020-07-01T12:00:00', '2020-07-01T10:00:00'],
  ['2020-07-01T12:00:00.789', '2020-07-01T12:00:00', '2020-07-01T10:00:00'],
  ['2020-07-01T12:00:00Z', '2020-07-01T14:00:00', '2020-07-01T12:00:00'],
  ['2020-07-01T12:00:00.5Z', '2020-07-01T14:00:00', '2020-07-01T12:00:00'],
  ['2024-08-01T10:30:00+02:00', '2024-08-01T10:30:00', '2024-08-01T08:30:00'],
  ['2024-01-01T00:30:00+0530', '2023-12-31T20:00:00', '2023-12-31T19:00:00'],
  ['2024-01-01T00:30:00-01', '2024-01-01T02:30:00', '2024-01-01T01:30:00'],
  // The recorded skipped and repeated hours (create-date-025, -026).
  ['2021-03-28T02:30:00', '2021-03-28T03:30:00', '2021-03-28T01:30:00'],
  ['2021-10-31T02:30:00', '2021-10-31T02:30:00', '2021-10-31T01:30:00'],
  // Days roll over (create-date-028).
  ['2020-02-30T00:00:00', '2020-03-01T00:00:00', '2020-02-29T23:00:00'],
  ['2023-04-31T12:00:00', '2023-05-01T12:00:00', '2023-05-01T10:00:00'],
  ['0050-06-01T12:00:00Z', '0050-06-01T12:17:30', '0050-06-01T12:00:00'],
];
for (const [text, date, gmt] of READ)
  parsing(`reads ${text}`, () => assert.equal(parseDate(text, AMSTERDAM), stamp(date, gmt)));

const REFUSED = [
  '',
  'nonsense',
  '1',
  '2020-07-01',
  '2020-07-01T12:00',
  '2020-13-01T00:00:00',
  '2020-00-10T00:00:00',
  '2020-01-00T00:00:00',
  '2020-01-32T00:00:00',
  '2020-01-01T24:00:00',
  '2020-01-01T00:60:00',
  '2020-01-01T00:00:60',
  '0000-00-00T00:00:00',
  '0000-12-31T00:00:00',
  '12020-01-01T00:00:00',
  '2020-07-01T12:00:00+16:00',
  '2020-07-01T12:00:00+01:60',
  '2020-07-01T12:00:00 Z',
  ' 2020-07-01T12:00:00',
  '2020-07-01T12:00:00\n',
  '0001-01-01T00:00:00+10:00',
  '9999-12-31T23:30:00Z',
  '２020-07-01T12:00:00',
];
for (const text of REFUSED)
  parsing(`refuses ${JSON.stringify(text)}`, () => assert.is(parseDate(text, AMSTERDAM), undefined));

parsing('reads a text without offset as GMT if requested', () => {
  assert.equal(
    parseDate('2020-07-01T12:00:00', AMSTERDAM, 'gmt'),
    stamp('2020-07-01T14:00:00', '2020-07-01T12:00:00'),
  );
  assert.equal(
    parseDate('2020-07-01T12:00:00+02:00', AMSTERDAM, 'gmt'),
    stamp('2020-07-01T12:00:00', '2020-07-01T10:00:00'),
  );
});
parsing.run();

const converting = suite('toGmt and toSiteTime');
const GMT: readonly (readonly [zone: string, site: string, gmt: string])[] = [
  ['Europe/Amsterdam', '2024-01-01T00:15:00', '2023-12-31T23:15:00'],
  ['Europe/Amsterdam', '2021-03-28T01:59:59', '2021-03-28T00:59:59'],
  ['Europe/Amsterdam', '2021-03-28T03:00:00', '2021-03-28T01:00:00'],
  ['Europe/Amsterdam', '2021-10-31T01:30:00', '2021-10-30T23:30:00'],
  ['Europe/Amsterdam', '2021-10-31T03:00:00', '2021-10-31T02:00:00'],
  ['America/New_York', '2021-03-14T02:30:00', '2021-03-14T07:30:00'],
  ['America/New_York', '2021-03-14T03:30:00', '2021-03-14T07:30:00'],
  ['America/New_York', '2021-11-07T01:30:00', '2021-11-07T05:30:00'],
  ['America/New_York', '2021-11-07T02:30:00', '2021-11-07T07:30:00'],
  ['Australia/Lord_Howe', '2024-10-06T02:15:00', '2024-10-05T15:45:00'],
  ['UTC', '2024-01-01T00:00:00', '2024-01-01T00:00:00'],
  ['', '2024-01-01T00:00:00', '2024-01-01T00:00:00'],
  ['+05:30', '2024-01-01T05:30:00', '2024-01-01T00:00:00'],
  ['5.5', '2024-01-01T05:30:00', '2024-01-01T00:00:00'],
  ['UTC-3', '2024-01-01T00:00:00', '2024-01-01T03:00:00'],
  ['-3.75', '2024-01-01T00:00:00', '2024-01-01T03:45:00'],
];
for (const [zone, site, gmt] of GMT)
  converting(`${site} in ${zone || 'no zone'}`, () => assert.is(toGmt(site, toZone(zone)), gmt));

converting('every quarter of an hour of a year comes back', () => {
  for (const name of ['Europe/Amsterdam', 'America/New_York', 'Africa/Casablanca', 'Asia/Kathmandu']) {
    const zone = toZone(name);
    const formatter = new Intl.DateTimeFormat('sv-SE', {
      timeZone: name,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (
      let moment = Date.parse('2022-01-01T00:00:00Z');
      moment < Date.parse('2023-01-01T00:00:00Z');
      moment += 900_000
    ) {
      const { date, date_gmt: gmt } = toStamp(moment, zone);
      if (moment % 3_600_000 === 0) assert.is(date, formatter.format(moment).replace(' ', 'T'));
      assert.is(toSiteTime(gmt, zone), date);
      const back = Date.parse(`${toGmt(date, zone)}Z`);
      assert.ok(Math.abs(back - moment) <= 3_600_000);
      assert.is(toSiteTime(toGmt(date, zone), zone), date);
    }
  }
});

converting('cuts part seconds', () =>
  assert.equal(toStamp(1_999, toZone('UTC')), stamp('1970-01-01T00:00:01', '1970-01-01T00:00:01')),
);
converting.run();

const zones = suite('toZone');
for (const name of ['Mars/Olympus', '25', '+14:30', 'UTC+', '../etc'])
  zones(`refuses ${name}`, () =>
    assert.throws(
      () => toZone(name),
      (error: unknown) => error instanceof RangeError,
    ),
  );
zones('keeps one zone per name', () => assert.is(toZone('Europe/Paris'), toZone('Europe/Paris')));
zones.run();
