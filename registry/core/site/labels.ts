import type { ContentType, Taxonomy } from '../model/content-type.ts';

/** Labels as WordPress makes them. `{One}`, `{Many}`: the words of the type; `{one}`, `{many}`: the same in lower case. */
type Templates = Readonly<Record<string, string | null>>;

const TYPE_LABELS: Templates = {
  name: '{Many}',
  singular_name: '{One}',
  add_new: 'Add',
  add_new_item: 'Add {One}',
  edit_item: 'Edit {One}',
  new_item: 'New {One}',
  view_item: 'View {One}',
  view_items: 'View {Many}',
  search_items: 'Search {Many}',
  not_found: 'No {many} found.',
  not_found_in_trash: 'No {many} found in Trash.',
  parent_item_colon: null,
  all_items: 'All {Many}',
  archives: '{One} Archives',
  attributes: '{One} Attributes',
  insert_into_item: 'Insert into {one}',
  uploaded_to_this_item: 'Uploaded to this {one}',
  featured_image: 'Featured image',
  set_featured_image: 'Set featured image',
  remove_featured_image: 'Remove featured image',
  use_featured_image: 'Use as featured image',
  filter_items_list: 'Filter {many} list',
  filter_by_date: 'Filter by date',
  items_list_navigation: '{Many} list navigation',
  items_list: '{Many} list',
  item_published: '{One} published.',
  item_published_privately: '{One} published privately.',
  item_reverted_to_draft: '{One} reverted to draft.',
  item_trashed: '{One} trashed.',
  item_scheduled: '{One} scheduled.',
  item_updated: '{One} updated.',
  item_link: '{One} Link',
  item_link_description: 'A link to a {one}.',
  menu_name: '{Many}',
  name_admin_bar: '{One}',
};

const TAXONOMY_LABELS: Templates = {
  name: '{Many}',
  singular_name: '{One}',
  search_items: 'Search {Many}',
  popular_items: 'Popular {Many}',
  all_items: 'All {Many}',
  parent_item: null,
  parent_item_colon: null,
  name_field_description: 'The name as the site shows it.',
  slug_field_description:
    'The part of addresses that stands for the name: lower-case letters, digits and hyphens.',
  parent_field_description: null,
  desc_field_description: 'Some front ends show the description.',
  edit_item: 'Edit {One}',
  view_item: 'View {One}',
  update_item: 'Update {One}',
  add_new_item: 'Add New {One}',
  new_item_name: 'New {One} Name',
  separate_items_with_commas: 'Separate {many} with commas',
  add_or_remove_items: 'Add or remove {many}',
  choose_from_most_used: 'Choose from the most used {many}',
  not_found: 'No {many} found.',
  no_terms: 'No {many}',
  filter_by_item: null,
  items_list_navigation: '{Many} list navigation',
  items_list: '{Many} list',
  most_used: 'Most Used',
  back_to_items: '&larr; Go to {Many}',
  item_link: '{One} Link',
  item_link_description: 'A link to a {one}.',
  menu_name: '{Many}',
  name_admin_bar: '{One}',
};

/** In which a hierarchy differs: it has parents, and no words for a cloud of tags. */
const HIERARCHICAL_TYPE: Templates = { parent_item_colon: 'Parent {One}:' };
const HIERARCHICAL_TAXONOMY: Templates = {
  popular_items: null,
  parent_item: 'Parent {One}',
  parent_item_colon: 'Parent {One}:',
  parent_field_description: 'The term that this one stands below.',
  separate_items_with_commas: null,
  add_or_remove_items: null,
  choose_from_most_used: null,
  filter_by_item: 'Filter by {one}',
};

function fill(templates: Templates, { name, singular }: ContentType['labels']): Templates {
  const words = { Many: name, many: name.toLowerCase(), One: singular, one: singular.toLowerCase() };
  const toText = (template: string): string =>
    template.replace(/\{(One|Many|one|many)\}/g, (_all, word: keyof typeof words) => words[word]);
  return Object.fromEntries(
    Object.entries(templates).map(([key, template]) => [key, template === null ? null : toText(template)]),
  );
}

/** The labels of a type, from its two words. Editors name their panels, buttons and notices by them. */
export const toTypeLabels = ({ labels, hierarchical }: ContentType): Templates =>
  fill(hierarchical ? { ...TYPE_LABELS, ...HIERARCHICAL_TYPE } : TYPE_LABELS, labels);

/** The labels of a taxonomy, from its two words. */
export const toTaxonomyLabels = ({ labels, hierarchical }: Taxonomy): Templates =>
  fill(hierarchical ? { ...TAXONOMY_LABELS, ...HIERARCHICAL_TAXONOMY } : TAXONOMY_LABELS, labels);
