import { readHtml } from '../../../../../registry/core/content/html/html.ts';

/** A head as a browser reads it. `stray`: text outside title and script. */
export interface ParsedHead {
  readonly meta: Readonly<Record<string, string>>;
  readonly links: readonly Readonly<Record<string, string>>[];
  readonly title: string;
  readonly graph: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly string[];
  readonly stray: string;
}

/** @throws SyntaxError when the script is not valid JSON */
export function parseHead(html: string): ParsedHead {
  const meta: Record<string, string> = {};
  const links: Record<string, string>[] = [];
  const tags: string[] = [];
  const texts: Record<string, string> = { title: '', script: '', '': '' };
  let open = '';
  readHtml(html, {
    start: ({ name, attributes }) => {
      tags.push(name);
      open = name in texts ? name : '';
      const values = Object.fromEntries(attributes.map((each) => [each.name, each.value]));
      if (name === 'meta') meta[values['name'] ?? values['property'] ?? ''] = values['content'] ?? '';
      if (name === 'link') links.push(values);
    },
    end: () => {
      open = '';
    },
    text: (text) => {
      texts[open] += text;
    },
  });
  const schema = JSON.parse(texts['script'] ?? '') as { '@graph': Record<string, unknown>[] };
  return {
    meta,
    links,
    tags,
    title: texts['title'] ?? '',
    graph: schema['@graph'],
    stray: (texts[''] ?? '').trim(),
  };
}

/** Ids that the graph refers to but does not contain. */
export function listDangling(graph: ParsedHead['graph']): readonly string[] {
  const found: string[] = [];
  JSON.stringify(graph, (key, value: unknown) => {
    if (key === '@id') found.push(String(value));
    return value;
  });
  // A nested node, such as a logo, contains its own id.
  const own = new Set(found.filter((id) => JSON.stringify(graph).includes(`"@id":${JSON.stringify(id)},`)));
  return found.filter((id) => !own.has(id));
}
