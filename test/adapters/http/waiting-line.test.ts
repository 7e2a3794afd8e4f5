import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WaitingLine, type Piece } from '../../../adapters/http/waiting-line.ts';

const piece: Piece = { patience: 100, run: () => undefined, refuse: () => undefined };

const line = suite('WaitingLine');

line('gives a piece its whole patience in a line that was empty not long ago', () => {
  const waiting = new WaitingLine();
  waiting.push(piece, 1000);
  waiting.push(piece, 1050);
  assert.is(waiting.dueAt(1100), 1100);
  assert.is(waiting.shiftLate(1100), undefined);
  waiting.shift();
  assert.is(waiting.dueAt(1100), 1150);
});

line('gives a piece half of its patience once the line has not been empty for that time', () => {
  const waiting = new WaitingLine();
  waiting.push(piece, 1000);
  waiting.push(piece, 1090);
  waiting.shift();
  assert.is(waiting.dueAt(1100), 1190);
  assert.is(waiting.dueAt(1101), 1140);
  assert.is(waiting.shiftLate(1140), undefined);
  assert.is(waiting.shiftLate(1141), piece);
});

line('gives the whole patience again after it was empty', () => {
  const waiting = new WaitingLine();
  waiting.push(piece, 1000);
  waiting.shift();
  assert.is(waiting.dueAt(1500), Infinity);
  waiting.push(piece, 1500);
  assert.is(waiting.dueAt(1550), 1600);
});

line.run();
