import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtInPlugins, loadPlugin, PLUGIN_NAMES, seedPlugins } from '../../registry/index.ts';
import { findSettingOwner } from '../../registry/load-plugin.ts';

const list = suite('the list of plugins');

list('names each plugin of this package, and who has which settings', () => {
  assert.equal([...PLUGIN_NAMES].sort(), [...builtInPlugins.keys()].sort());
  for (const { descriptor, settings } of seedPlugins)
    for (const member of Object.keys(settings)) assert.is(findSettingOwner(member), descriptor.name, member);
});

list('has nothing under a name that every object has', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.is(await loadPlugin(name), null);
    assert.is(findSettingOwner(name), undefined);
  }
});

list.run();
