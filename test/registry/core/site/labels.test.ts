import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createContentModel } from '../../../../registry/core/model/content-model.ts';
import type { ContentType, Taxonomy } from '../../../../registry/core/model/content-type.ts';
import { toTaxonomyLabels, toTypeLabels } from '../../../../registry/core/site/labels.ts';

const { types, taxonomies } = createContentModel({
  core: true,
  types: [{ name: 'book', base: 'books', hierarchical: true, labels: { name: 'Books', singular: 'Book' } }],
});
const typeLabels = (name: string) => toTypeLabels(types.get(name) as ContentType);
const taxonomyLabels = (name: string) => toTaxonomyLabels(taxonomies.get(name) as Taxonomy);

const labels = suite('labels');

labels('of posts and pages are those of WordPress', () => {
  const post = typeLabels('post');
  assert.is(Object.keys(post).length, 35);
  assert.is(post['add_new_item'], 'Add Post');
  assert.is(post['item_published_privately'], 'Post published privately.');
  assert.is(post['parent_item_colon'], null);
  assert.is(post['menu_name'], 'Posts');
  assert.is(typeLabels('page')['parent_item_colon'], 'Parent Page:');
});

labels('of a type of its own use its words', () => {
  const book = typeLabels('book');
  assert.is(book['view_items'], 'View Books');
  assert.is(book['not_found_in_trash'], 'No books found in Trash.');
});

labels('of a taxonomy depend on whether it is a tree', () => {
  const [tag, category] = [taxonomyLabels('post_tag'), taxonomyLabels('category')];
  assert.equal(Object.keys(tag), Object.keys(category));
  assert.equal(
    [tag['separate_items_with_commas'], category['separate_items_with_commas']],
    ['Separate tags with commas', null],
  );
  assert.equal([tag['parent_item'], category['parent_item']], [null, 'Parent Category']);
  assert.is(category['menu_name'], 'Categories');
});

labels.run();
