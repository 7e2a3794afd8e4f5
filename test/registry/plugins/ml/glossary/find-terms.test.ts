import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import {
  createTermFinder,
  type GlossaryTerm,
  listMissingTerms,
} from '../../../../../registry/plugins/ml/glossary/glossary.ts';

const toTerm = (term: string, translation: string | null, caseSensitive = false): GlossaryTerm => ({
  term,
  translation,
  caseSensitive,
  note: '',
});
const FINDER = createTermFinder([
  toTerm('Port Arven', null),
  toTerm('port', 'haven'),
  toTerm('C++', null),
  toTerm('US', null, true),
  toTerm('real-time', 'temps réel'),
  toTerm('図書館', 'library'),
  toTerm('R&D', null),
  toTerm('café', 'koffiehuis'),
  toTerm('Havenbeheer', null),
  toTerm('ship', 'bateau'),
  toTerm('boat', 'bateau'),
  toTerm('steamship', 'bateau à vapeur'),
]);

const FOUND: readonly (readonly [html: string, terms: readonly string[]])[] = [
  ['<p>The port of Port Arven</p>', ['port', 'Port Arven']],
  ['<b>Port</b>\n&nbsp;Arven', ['Port Arven']],
  ['PORTS and sportive ports', []],
  ['Tell us what the US is', ['US']],
  ['Only us', []],
  ['Written in c++, in real-time; not real time', ['C++', 'real-time']],
  ['<a href="/port/" class="port">x</a><script>port</script>', []],
  ['この図書館は', ['図書館']],
  ['R&amp;D', ['R&D']],
  ['Cafe\u0301s? Le cafe\u0301', ['café']],
];

const finding = suite('createTermFinder');
finding('finds whole words in the text that readers see, the longest first', () => {
  for (const [html, terms] of FOUND)
    assert.equal(
      runSteps(FINDER.terms(html)).map(({ term }) => term),
      terms,
      html,
    );
});
finding('names places in a plain text', () => {
  assert.equal(
    runSteps(FINDER.places('İn Port  Arven port')).map(({ from, to }) => [from, to]),
    [
      [3, 14],
      [15, 19],
    ],
  );
});
finding.run();

const MISSING: readonly (readonly [source: string, target: string, terms: readonly string[]])[] = [
  ['The port', 'De havens', []],
  ['The port', 'De kade', ['port']],
  ['Port Arven is a port', 'Puerto Arven', ['Port Arven', 'port']],
  ['The US', 'De us', ['US']],
  ['R&amp;D', '<i>R&amp;D</i>-afdeling', []],
  ['Port Arven, Port Arven', 'Port <b>Arven</b>', []],
  // The text of a longer term says nothing of a shorter one.
  ['Havenbeheer: a port', 'Havenbeheer', ['port']],
  ['Havenbeheer: a port', 'Havenbeheer: een haven', []],
  ['Havenbeheer: a port', 'HAVENBEHEER', ['port']],
  ['Havenbeheer', 'Havenbeheer', []],
  ['ship, boat and steamship', 'bateau et bateau à vapeur', []],
  ['ship, boat and steamship', 'bateau à vapeur', ['ship', 'boat']],
];

const missing = suite('listMissingTerms');
missing('lists protected terms that are gone and translations that are not used', () => {
  for (const [source, target, terms] of MISSING)
    assert.equal(
      runSteps(listMissingTerms(FINDER, source, target)).map(({ term }) => term),
      terms,
      target,
    );
});
missing.run();
