import { childElements, own, parseXml, textOf, type XmlElement, XmlError } from '../../../plugin.ts';

/** `words`: the allowed values of the attribute; absent for any text. */
interface AttributeRule {
  readonly required?: true;
  readonly words?: readonly string[];
}

/** The allowed content of an element. `once`: each child at most once. `text`: `none`, `any` or `some` (not blank). `open`: any content is allowed. */
interface ElementRule {
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

/** The root elements: the one of public files, and the neutral one. */
const CONFIG_ROOTS: readonly string[] = ['wpml-config', 'ml-config'];

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
  taxonomies: { children: { taxonomy: 'type' } },
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
  widgets: { children: { widget: 'widget' } },
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

/** A problem of a configuration. `level`: 2 error, 3 fatal; `code`: the error number of libxml; `line` counts from 1. */
interface ConfigError {
  readonly level: 2 | 3;
  readonly code: number;
  readonly column: number;
  readonly message: string;
  readonly file: '';
  readonly line: number;
}

const CODES = {
  empty: 4,
  malformed: 5,
  enumeration: 1840,
  root: 1845,
  attribute: 1866,
  missing: 1868,
  element: 1871,
  text: 1841,
} as const;

const toError = (kind: keyof typeof CODES, message: string, line: number): ConfigError => ({
  level: 2,
  code: CODES[kind],
  column: 0,
  message,
  file: '',
  line,
});

function checkAttributes(element: XmlElement, rule: ElementRule): ConfigError[] {
  const rules = rule.attributes ?? {};
  const given = Object.entries(element.attributes).filter(([name]) => !name.startsWith('xml'));
  const wrong = given.flatMap(([name, value]) => {
    const attribute = own(rules, name);
    if (attribute === undefined)
      return [toError('attribute', `<${element.name}> cannot have the attribute "${name}"`, element.line)];
    if (attribute.words === undefined || attribute.words.includes(value)) return [];
    return [
      toError(
        'enumeration',
        `${name}="${value}" of <${element.name}> must be one of ${attribute.words.join(', ')}`,
        element.line,
      ),
    ];
  });
  const missing = Object.entries(rules)
    .filter(([name, attribute]) => attribute.required === true && own(element.attributes, name) === undefined)
    .map(([name]) => toError('missing', `<${element.name}> must have the attribute "${name}"`, element.line));
  return [...wrong, ...missing];
}

const ownText = (element: XmlElement): string =>
  element.children
    .filter((child) => typeof child === 'string')
    .join('')
    .trim();

function checkText(element: XmlElement, rule: ElementRule): ConfigError[] {
  const text = ownText(element);
  if (rule.text === 'some' && text === '')
    return [toError('text', `<${element.name}> must not be empty`, element.line)];
  if ((rule.text ?? 'none') === 'none' && rule.open !== true && text !== '')
    return [toError('text', `<${element.name}> must not contain text`, element.line)];
  return [];
}

function checkChildren(element: XmlElement, rule: ElementRule): ConfigError[] {
  if (rule.open === true) return [];
  const allowed = rule.children ?? {};
  const seen = new Set<string>();
  return childElements(element).flatMap((child) => {
    const id = own(allowed, child.name);
    if (id === undefined)
      return [toError('element', `<${child.name}> is not allowed in <${element.name}>`, child.line)];
    if (rule.once === true && seen.has(child.name))
      return [toError('element', `<${child.name}> is allowed only once in <${element.name}>`, child.line)];
    seen.add(child.name);
    return checkElement(child, id);
  });
}

function checkElement(element: XmlElement, id: string): ConfigError[] {
  const rule = own(CONFIG_RULES, id) ?? {};
  return [...checkAttributes(element, rule), ...checkText(element, rule), ...checkChildren(element, rule)];
}

const MAX_ERRORS = 100;

function checkRoot(root: XmlElement): ConfigError[] {
  if (CONFIG_ROOTS.includes(root.name)) return checkElement(root, 'root').slice(0, MAX_ERRORS);
  return [
    toError(
      'root',
      `the root element must be <${CONFIG_ROOTS.join('> or <')}>, but is <${root.name}>`,
      root.line,
    ),
  ];
}

/** All problems of the configuration, at most 100. It can be saved when there are none. A blank configuration has one problem. */
export function validateXmlConfig(content: string): readonly ConfigError[] {
  if (content.trim() === '') return [{ ...toError('empty', 'the configuration is empty', 1), level: 3 }];
  try {
    return checkRoot(parseXml(content));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const { message, line, column } = error;
    return [{ ...toError('malformed', message, line), level: 3, column }];
  }
}

/** What happens to a custom field when a post is translated. `copy-once`: copied into a new translation only. */
export type FieldAction = 'translate' | 'copy' | 'copy-once' | 'ignore';

/** Names within the value of a custom field whose texts are translated; `*` matches any name. */
export interface TextKey {
  readonly name: string;
  readonly keys: readonly TextKey[];
}

/** The effect of a configuration on jobs. By default, types and taxonomies are translated, and fields are ignored. */
export interface XmlConfig {
  readonly types: ReadonlyMap<string, boolean>;
  readonly taxonomies: ReadonlyMap<string, boolean>;
  readonly fields: ReadonlyMap<string, FieldAction>;
  readonly texts: readonly TextKey[];
  /** Listed in the notes to translators, who must not translate them. */
  readonly shortcodes: readonly string[];
}

const ACTIONS: Readonly<Record<string, FieldAction>> = {
  translate: 'translate',
  copy: 'copy',
  'copy-once': 'copy-once',
  copy_once: 'copy-once',
  ignore: 'ignore',
};

const listBelow = (root: XmlElement, path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (elements, name) => elements.flatMap((element) => childElements(element, name)),
    [root],
  );

const readSwitches = (elements: readonly XmlElement[]): Map<string, boolean> =>
  new Map(elements.map((element) => [textOf(element).trim(), element.attributes['translate'] !== '0']));

const readKeys = (element: XmlElement): readonly TextKey[] =>
  childElements(element, 'key').map((key) => ({ name: key.attributes['name'] ?? '', keys: readKeys(key) }));

// Every post has this custom field. The notes are texts, and their ids refer to the content.
const DEFAULT_FIELDS: readonly (readonly [string, FieldAction])[] = [['footnotes', 'translate']];

/** The effect of a valid configuration; '' is the empty configuration. */
export function readXmlConfig(content: string): XmlConfig {
  const root: XmlElement =
    content === '' ? { name: 'ml-config', attributes: {}, children: [], line: 1 } : parseXml(content);
  const fields = listBelow(root, ['custom-fields', 'custom-field']).map(
    (field): readonly [string, FieldAction] => [
      textOf(field).trim(),
      own(ACTIONS, field.attributes['action'] ?? '') ?? 'ignore',
    ],
  );
  const list = listBelow(root, ['shortcode-list']).flatMap((element) => textOf(element).split(','));
  const tags = listBelow(root, ['shortcodes', 'shortcode', 'tag']).map(textOf);
  return {
    types: readSwitches(listBelow(root, ['custom-types', 'custom-type'])),
    taxonomies: readSwitches(listBelow(root, ['taxonomies', 'taxonomy'])),
    fields: new Map([...DEFAULT_FIELDS, ...fields]),
    texts: listBelow(root, ['custom-fields-texts']).flatMap(readKeys),
    shortcodes: [...new Set([...list, ...tags].map((tag) => tag.trim()).filter((tag) => tag !== ''))],
  };
}
