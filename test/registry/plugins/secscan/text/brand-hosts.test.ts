import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { borrowsBrand } from '../../../../../registry/plugins/secscan/text/look-alike.ts';

const HOSTS: readonly (readonly [host: string, isBorrowed: boolean, why: string])[] = [
  ['paypal.com', false, 'the brand itself'],
  ['login.paypal.com', false, 'below the brand itself'],
  ['paypal.example.net', true, 'a brand that nobody else uses below a host'],
  ['paypal.com.example.net', true, 'the same, read as its own host'],
  ['google.example.net', false, 'a brand that others openly use below their host'],
  ['wordpress.example.co.uk', false, 'the same, below a second-level name'],
  ['google.com.example.net', true, 'a shared brand that is read as its own host'],
  ['google.com-login.net', true, 'the same, with the end of the host in the registered name'],
  ['google.de.example.net', true, 'the same, with a country'],
  ['google-login.example.net', true, 'a shared brand beside a word that asks for a password'],
  ['paypal.github.io', false, 'a host that gives names to anyone'],
];

const borrowing = suite('borrowsBrand');

for (const [host, isBorrowed, why] of HOSTS)
  borrowing(`${isBorrowed ? 'names' : 'passes'} ${host}: ${why}`, () =>
    assert.is(borrowsBrand(host), isBorrowed),
  );

borrowing.run();
