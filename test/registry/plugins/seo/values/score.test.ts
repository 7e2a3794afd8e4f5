import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readContent } from '../../../../../registry/plugins/seo/values/content-facts.ts';
import {
  holdsPhrase,
  KEYPHRASE_CHECKS,
  READABILITY_CHECKS,
  type ScoreFacts,
  scoreKeyphrase,
  scoreReadability,
} from '../../../../../registry/plugins/seo/values/score.ts';

const GOOD_TEXT = `<p>About red wine we know much.</p><h2>Why red wine</h2><img src="a.png" alt="Red wine in a glass"><p>${'Words that say something short. '.repeat(70)}</p>`;

const good: ScoreFacts = {
  phrase: 'red wine',
  title: 'Red wine for beginners',
  slug: 'red-wine-for-beginners',
  content: readContent(GOOD_TEXT),
  internalLinks: 1,
  externalLinks: 1,
  description:
    `Everything about red wine that you always wanted to know, ${'and a good deal more than that '.repeat(3)}`.slice(
      0,
      140,
    ),
};
const bad: ScoreFacts = {
  phrase: 'red wine',
  title: '',
  slug: '',
  description: '',
  content: readContent(''),
  internalLinks: 0,
  externalLinks: 0,
};

const gradeOf = (id: string, facts: ScoreFacts): number | undefined =>
  [...KEYPHRASE_CHECKS, ...READABILITY_CHECKS].find((check) => check.id === id)?.grade(facts);
const withText = (html: string): ScoreFacts => ({ ...good, content: readContent(html) });

const ROWS: readonly (readonly [id: string, facts: ScoreFacts, grade: number])[] = [
  ['title-length', { ...good, title: '' }, 0],
  ['title-length', { ...good, title: 'Short' }, 6],
  ['description-length', { ...good, description: '' }, 0],
  ['description-length', { ...good, description: 'Short' }, 6],
  ['phrase-in-title', { ...good, title: 'Redder wine' }, 0],
  ['phrase-in-title', { ...good, title: 'RED  WINE!' }, 9],
  ['phrase-in-slug', { ...good, slug: 'wine-red' }, 3],
  ['phrase-in-slug', { ...good, phrase: 'été', slug: '%c3%a9t%c3%a9' }, 9],
  ['phrase-at-start', withText('<p>First.</p><p>Red wine.</p>'), 3],
  ['phrase-in-headings', withText('<h2>Nothing</h2>'), 3],
  ['text-length', withText(`<p>${'word '.repeat(49)}</p>`), 0],
  ['text-length', withText(`<p>${'word '.repeat(50)}</p>`), 3],
  ['text-length', withText(`<p>${'word '.repeat(150)}</p>`), 6],
  ['text-length', withText(`<p>${'word '.repeat(300)}</p>`), 9],
  ['internal-links', { ...good, internalLinks: 0 }, 3],
  ['external-links', { ...good, externalLinks: 0 }, 3],
  ['image-alt', withText(''), 3],
  ['image-alt', withText('<img src="a" alt="something">'), 6],
  ['image-alt', withText('<img src="a">'), 3],
  ['image-alt', withText('<img src="a"><img src="b" alt="red wine">'), 9],
  ['sentence-length', withText(`<p>${'word '.repeat(30)}.</p>`), 3],
  ['sentence-length', withText('<p>Short. Sentences.</p>'), 9],
  ['paragraph-length', withText(`<p>${'word '.repeat(151)}</p>`), 3],
  ['headings', withText(`<p>${'word '.repeat(301)}</p>`), 3],
  ['headings', withText(`<h2>One</h2><p>${'word '.repeat(301)}</p>`), 9],
  ['text-present', withText(''), 0],
  ['text-present', withText('few words'), 3],
];

const checks = suite('checks');
for (const [id, facts, grade] of ROWS) {
  checks(`${id}: ${grade}`, () => {
    assert.is(gradeOf(id, facts), grade);
  });
}
checks('ids are unique', () => {
  const ids = [...KEYPHRASE_CHECKS, ...READABILITY_CHECKS].map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
});
checks.run();

const score = suite('scores');
score('a good post is good, a bad one bad', () => {
  assert.is(scoreKeyphrase(good), 100);
  assert.ok(scoreKeyphrase(bad) <= 40 && scoreKeyphrase(bad) > 0);
});
score('a post without a phrase has no score', () => {
  assert.is(scoreKeyphrase({ ...good, phrase: '' }), 0);
});
score('readability does not need a phrase', () => {
  assert.is(scoreReadability({ ...good, phrase: '' }), scoreReadability(good));
});
score('a phrase matches whole words in order', () => {
  assert.ok(holdsPhrase('The «red wine», of course', 'Red Wine'));
  assert.not(holdsPhrase('Tired winegrower', 'red wine'));
  assert.not(holdsPhrase('anything', '?!'));
});
score.run();
