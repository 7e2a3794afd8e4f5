import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Identity } from '../../../../lib/core/identity.ts';
import { CAPABILITIES, ROLES, capabilitiesOf } from '../../../../registry/core/accounts/roles.ts';
import { createContentModel } from '../../../../registry/core/model/content-model.ts';
import { createTypeRights } from '../../../../registry/core/records/rights.ts';
import { PROJECT } from '../../../support/sources.ts';

const ALL_ROLES = Object.keys(ROLES);

/** The roles that have a capability; all other roles do not have it. */
const HOLDERS: readonly (readonly [capability: string, holders: readonly string[]])[] = [
  ['read', ALL_ROLES],
  ['edit_posts', ['administrator', 'editor', 'author', 'contributor']],
  ['delete_posts', ['administrator', 'editor', 'author', 'contributor']],
  ['publish_posts', ['administrator', 'editor', 'author']],
  ['edit_published_posts', ['administrator', 'editor', 'author']],
  ['delete_published_posts', ['administrator', 'editor', 'author']],
  ['upload_files', ['administrator', 'editor', 'author']],
  ['edit_others_posts', ['administrator', 'editor']],
  ['delete_others_posts', ['administrator', 'editor']],
  ['read_private_posts', ['administrator', 'editor']],
  ['edit_private_posts', ['administrator', 'editor']],
  ['delete_private_posts', ['administrator', 'editor']],
  ['manage_categories', ['administrator', 'editor']],
  ['unfiltered_html', ['administrator', 'editor']],
  ['translate', ['administrator', 'translation_manager', 'translator']],
  ['manage_translations', ['administrator', 'translation_manager']],
  ['manage_options', ['administrator']],
  ['seo_manage_options', ['administrator']],
  ['activate_plugins', ['administrator']],
  ['list_users', ['administrator']],
  ['edit_users', ['administrator']],
];

const roles = suite('capabilitiesOf');

for (const [capability, holders] of HOLDERS) {
  roles(`${capability}: ${holders.join(', ')}`, () => {
    assert.equal(
      ALL_ROLES.filter((role) => capabilitiesOf(role).has(capability)).sort(),
      [...holders].sort(),
    );
  });
}

roles('gives nothing to a role that is not in the table', () => {
  for (const role of ['', 'root', 'constructor', '__proto__']) assert.is(capabilitiesOf(role).size, 0, role);
});

roles('of others reach private posts with the right to them alone', () => {
  const rights = createTypeRights(createContentModel('core'))('post');
  const post = { author: 1, status: 'private', trashed_from: '' };
  const holding = (...more: readonly string[]): Identity => ({
    id: 2,
    role: '',
    capabilities: new Set(['edit_others_posts', 'delete_others_posts', ...more]),
  });
  assert.equal([rights.mayEdit(holding(), post), rights.mayDelete(holding(), post)], [false, false]);
  assert.ok(rights.mayEdit(holding('edit_private_posts'), post));
  assert.ok(rights.mayDelete(holding('delete_private_posts'), post));
});

roles('contains every capability of every role', () => {
  assert.equal(
    Object.values(ROLES)
      .flat()
      .filter((capability) => !CAPABILITIES.has(capability)),
    [],
  );
});

roles('are what docs/users.md says: a role, and what it has in addition to other roles', () => {
  const rows = new Map(
    [...readFileSync(`${PROJECT}docs/users.md`, 'utf8').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(
      ([, role = '', held = '']) => [role, [...held.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)],
    ),
  );
  const holds = (role: string): readonly string[] =>
    (rows.get(role) ?? []).flatMap((word) => (rows.has(word) ? holds(word) : [word]));
  assert.equal([...rows.keys()].sort(), ALL_ROLES.toSorted());
  for (const [role, capabilities] of Object.entries(ROLES))
    assert.equal([...holds(role)].sort(), [...capabilities].sort(), role);
});

roles.run();
