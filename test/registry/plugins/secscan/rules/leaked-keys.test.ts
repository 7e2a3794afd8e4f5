import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEY_FORMS } from '../../../../../registry/plugins/secscan/rules/rules.ts';

const BODY = Array.from({ length: 4 }, () => `${'MIIEvQIBADANBgkqhkiG9w0B'.repeat(2)}+/AQEFAA==`).join('\n');

const forms = suite('KEY_FORMS');

for (const [name, head] of [
  ['PKCS 8', '-----BEGIN PRIVATE KEY-----\n'],
  ['PKCS 8 with Windows lines', '-----BEGIN PRIVATE KEY-----\r\n'],
  ['encrypted PKCS 8', '-----BEGIN ENCRYPTED PRIVATE KEY-----\n'],
  ['PEM', '-----BEGIN RSA PRIVATE KEY-----\n'],
  [
    'encrypted PEM',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F1E2D3C4B5A69788796A5B4C3D2E1F0\n\n',
  ],
  ['OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----\n'],
  ['PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: of nobody\n\n'],
] as const) {
  forms(`finds a private key: ${name}`, () => {
    assert.equal(
      KEY_FORMS.filter(({ pattern }) => `Text\n${head}${BODY}\n-----END`.search(pattern) !== -1).map(
        ({ about }) => about,
      ),
      ['a private key'],
    );
  });
}

forms('leaves public keys, and heads without a key', () => {
  for (const text of [
    `-----BEGIN PUBLIC KEY-----\n${BODY}`,
    `-----BEGIN CERTIFICATE-----\n${BODY}`,
    '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
  ]) {
    assert.equal(
      KEY_FORMS.filter(({ pattern }) => text.search(pattern) !== -1),
      [],
      text,
    );
  }
});

forms.run();
