import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LoadShedder } from '../../../../adapters/http/admission/load-shedder.ts';
import { codeOf } from '../../../support/code-of.ts';

const loadShedder = suite('LoadShedder');

loadShedder('counts, and turns away what is too much', () => {
  const each = new LoadShedder({ inFlight: 1, bufferedBytes: 100 });
  each.enter('read');
  assert.is(
    codeOf(() => each.enter('read')),
    'rest_overloaded',
  );
  assert.is(each.inFlight, 1);
  each.leave('read');
  assert.is(
    codeOf(() => each.enter('read')),
    null,
  );
});

loadShedder('tells overload from shutting down', () => {
  const each = new LoadShedder({ inFlight: 1, bufferedBytes: 100 });
  each.enter('read');
  assert.is(
    codeOf(() => each.check()),
    null,
  );
  assert.is(
    codeOf(() => each.enter('read')),
    'rest_overloaded',
  );
  each.closing = true;
  assert.is(
    codeOf(() => each.check()),
    'rest_shutting_down',
  );
});

loadShedder('lets a request end that was accepted before closing', () => {
  const each = new LoadShedder({ inFlight: 1, bufferedBytes: 100 });
  each.check();
  each.closing = true;
  assert.is(
    codeOf(() => each.check()),
    'rest_shutting_down',
  );
  assert.is(
    codeOf(() => each.enter('read')),
    null,
  );
  assert.is(
    codeOf(() => each.enter('read')),
    'rest_overloaded',
  );
});

loadShedder('bounds the bytes of bodies that are still coming', () => {
  const each = new LoadShedder({ inFlight: 1, bufferedBytes: 100 });
  each.hold(100);
  assert.is(
    codeOf(() => each.hold(1)),
    'rest_overloaded',
  );
  each.release(1);
  each.release(100);
  assert.is(
    codeOf(() => each.hold(100)),
    null,
  );
});

loadShedder.run();
