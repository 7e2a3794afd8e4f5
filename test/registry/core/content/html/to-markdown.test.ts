import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toMarkdown } from '../../../../../registry/core/content/html/to-markdown.ts';

const markdown = suite('HTML as Markdown');

markdown('keeps the marks of ordinary nesting, and leaves out those of more than eight levels', () => {
  assert.is(
    toMarkdown('<p>a <b>b <i>c</i></b> <a href="/x"><span>l <em>m</em></span></a></p>').trim(),
    'a **b *c*** [l *m*](</x>)',
  );
  for (const name of ['i', 'span', 'a href="/x"']) {
    const text = toMarkdown(`<${name}>`.repeat(250) + 'x');
    assert.ok(text.length < 100, `${name}: ${text.length} characters`);
    assert.match(text, 'x');
  }
});

markdown.run();
