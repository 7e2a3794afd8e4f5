import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import { refusalOf } from '../../support/refusal.ts';

const creating = suite('createRequest');

creating('takes a method in any case', () => {
  assert.is(createRequest('/x', { method: 'post' }).method, 'POST');
  assert.is(createRequest('/x').method, 'GET');
});

creating('takes the names of headers in any case', () => {
  assert.equal(createRequest('/x', { headers: { Authorization: 'a', 'sec-fetch-site': 'none' } }).headers, {
    authorization: 'a',
    'sec-fetch-site': 'none',
  });
});

creating('refuses an option that it does not have', () => {
  assert.is(
    refusalOf(() => createRequest('/x', { metod: 'POST' } as RequestOptions)),
    'unknown member "metod" of the options of createRequest; the members are method, body, headers, language, siteUrl, host. Did you mean "method"?',
  );
});

creating.run();
