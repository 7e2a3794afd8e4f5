/** `words`: the allowed values of the attribute; absent for any text. */
interface AttributeRule {
  readonly required?: true;
  readonly words?: readonly string[];
}

/** The allowed content of an element. `once`: each child at most once. `text`: `none`, `any` or `some` (not blank). `open`: any content is allowed. */
export interface ElementRule {
  readonly children?: Readonly<Record<string, string>>;
  readonly once?: true;
  readonly attributes?: Readonly<Record<string, AttributeRule>>;
  readonly text?: 'none' | 'any' | 'some';
  readonly open?: true;
}

const ANY: AttributeRule = {};
const NAME: AttributeRule = { required: true };
const SWITCH: AttributeRule = { words: ['0', '1'] };
const CHOICE: AttributeRule = { required: true, words: ['0', '1'] };
const LABELS = { label: ANY, group: ANY, type: ANY, 'sub-type': ANY, encoding: ANY } as const;
const KEY = {
  name: NAME,
  label: ANY,
  type: ANY,
  'sub-type': ANY,
  encoding: ANY,
  'search-method': { words: ['wildcards', 'regex'] },
} as const;
const FIELD = {
  // Existing files use both spellings of `copy-once`.
  action: { required: true, words: ['translate', 'copy', 'copy-once', 'copy_once', 'ignore'] },
  style: { words: ['line', 'textarea', 'visual'] },
  translate_link_target: SWITCH,
  convert_to_sticky: SWITCH,
  ...LABELS,
} as const;
const RELATION: AttributeRule = { words: ['AND', 'OR'] };
const WIDGETS = { children: { widget: 'widget' } } as const;

/** The root elements: the one of public files, and the neutral one. */
export const CONFIG_ROOTS: readonly string[] = ['wpml-config', 'ml-config'];

/** One rule per element, by the id that the rule of its parent refers to. */
export const CONFIG_RULES: Readonly<Record<string, ElementRule>> = {
  root: {
    once: true,
    children: {
      'custom-types': 'types',
      taxonomies: 'taxonomies',
      'custom-fields': 'fields',
      'custom-term-fields': 'termFields',
      'custom-fields-texts': 'keys',
      'admin-texts': 'keys',
      shortcodes: 'shortcodes',
      'shortcode-list': 'texts',
      'built-with-page-builder': 'texts',
      'language-switcher-settings': 'settings',
      'allow-translatable-job-fields': 'allowed',
      'gutenberg-blocks': 'blocks',
      'elementor-widgets': 'widgets',
      'beaver-builder-widgets': 'widgets',
      'cornerstone-widgets': 'widgets',
      'siteorigin-widgets': 'widgets',
      notices: 'notices',
    },
  },
  texts: { text: 'any' },
  types: { children: { 'custom-type': 'type' } },
  type: {
    text: 'some',
    attributes: { translate: CHOICE, 'display-as-translated': SWITCH, automatic: SWITCH },
  },
  taxonomies: { children: { taxonomy: 'taxonomy' } },
  taxonomy: {
    text: 'some',
    attributes: { translate: CHOICE, 'display-as-translated': SWITCH, automatic: SWITCH },
  },
  fields: { children: { 'custom-field': 'field' } },
  field: { text: 'some', attributes: FIELD },
  termFields: { children: { 'custom-term-field': 'field' } },
  keys: { children: { key: 'key' } },
  key: { children: { key: 'key' }, attributes: KEY },
  settings: { children: { key: 'setting' } },
  setting: { children: { key: 'setting' }, text: 'any', attributes: { name: NAME } },
  allowed: { children: { 'allow-translatable-job-field': 'allowedField' } },
  allowedField: { attributes: { type: NAME, value: NAME } },
  shortcodes: { children: { shortcode: 'shortcode' } },
  shortcode: { once: true, children: { tag: 'tag', attributes: 'attributes' } },
  tag: {
    text: 'some',
    attributes: { ...LABELS, 'encoding-condition': ANY, 'raw-html': SWITCH, 'ignore-content': SWITCH },
  },
  attributes: { children: { attribute: 'attribute' } },
  attribute: { text: 'some', attributes: LABELS },
  blocks: { children: { 'gutenberg-block': 'block' } },
  block: {
    children: { xpath: 'xpath', key: 'key' },
    attributes: { type: NAME, translate: CHOICE, label: ANY },
  },
  xpath: { text: 'some', attributes: LABELS },
  widgets: WIDGETS,
  widget: {
    children: {
      conditions: 'conditions',
      fields: 'widgetFields',
      'fields-in-item': 'itemFields',
      'integration-classes': 'classes',
    },
    attributes: { name: ANY },
  },
  conditions: { children: { condition: 'condition' }, attributes: { relation: RELATION } },
  condition: { text: 'any', attributes: { key: ANY, type: ANY, relation: RELATION } },
  widgetFields: { children: { field: 'widgetField' } },
  itemFields: {
    children: { field: 'widgetField', 'fields-in-item': 'itemFields' },
    attributes: { items_of: NAME },
  },
  widgetField: {
    text: 'some',
    attributes: {
      ...LABELS,
      name: ANY,
      key_of: ANY,
      editor_type: { words: ['LINE', 'AREA', 'VISUAL', 'LINK'] },
    },
  },
  classes: { children: { 'integration-class': 'class' } },
  class: { text: 'some' },
  notices: { children: { notice: 'notice' } },
  notice: {
    once: true,
    children: { conditions: 'noticeConditions', locations: 'anything', content: 'anything' },
    attributes: { id: NAME, type: ANY, dismissible: SWITCH },
  },
  noticeConditions: { open: true, attributes: { relation: RELATION } },
  anything: { open: true, text: 'any' },
};
