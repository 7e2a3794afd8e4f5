import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPublicAddress } from '../../../adapters/outbound/address-policy.ts';
import { ADDRESSES } from '../ssrf-forms.ts';

const policy = suite('isPublicAddress');

for (const [address, isPublic] of ADDRESSES) {
  policy(`${address || "''"} ${isPublic ? 'is' : 'is not'} public`, () =>
    assert.is(isPublicAddress(address), isPublic),
  );
}

policy.run();
