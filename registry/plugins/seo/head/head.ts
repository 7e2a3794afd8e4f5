import { escapeAttribute, escapeText } from '../../../plugin.ts';
import type { HeadFacts } from '../values/head-facts.ts';
import { toFilled } from '../values/scalars.ts';
import { toAlternates, toCanonical, toRobots } from './canonical.ts';
import { toGraph, toJsonText } from './graph.ts';
import { toOpenGraph, toTwitterCard } from './social.ts';
import { toTexts } from './texts.ts';

/** All possible members of a head. The response omits empty ones. */
function collectMembers(facts: HeadFacts) {
  const texts = toTexts(facts);
  return {
    title: texts.title,
    description: texts.description,
    robots: toRobots(facts),
    canonical: toCanonical(facts),
    rel_prev: facts.previous,
    rel_next: facts.next,
    alternates: toAlternates(facts),
    ...toOpenGraph(facts, texts),
    author: facts.isProtected ? '' : (facts.article?.author?.name ?? ''),
    ...toTwitterCard(facts, texts),
    verification: facts.kind === 'front' || facts.kind === 'front-page' ? facts.site.verification : {},
    schema: toGraph(facts, texts),
  };
}

type HeadMembers = ReturnType<typeof collectMembers>;

/** The members that a page has. */
type HeadJson = Partial<HeadMembers>;

const named = (name: string, content: string): string =>
  `<meta name="${escapeAttribute(name)}" content="${escapeAttribute(content)}" />`;
const property = (name: string, content: string | number): string =>
  `<meta property="${name}" content="${escapeAttribute(String(content))}" />`;

const linked = (relation: string, url: string): string =>
  `<link rel="${relation}" href="${escapeAttribute(url)}" />`;

type Renderers = { readonly [K in keyof HeadMembers]: (value: HeadMembers[K]) => readonly string[] };

/** Renders each member, in the order of the markup. */
const RENDERERS: Renderers = {
  title: (text) => [`<title>${escapeText(text)}</title>`],
  description: (text) => [named('description', text)],
  robots: (robots) => [named('robots', Object.values(robots).join(', '))],
  canonical: (url) => [linked('canonical', url)],
  rel_prev: (url) => [linked('prev', url)],
  rel_next: (url) => [linked('next', url)],
  alternates: (links) =>
    links.map(
      ({ hreflang, href }) =>
        `<link rel="alternate" hreflang="${escapeAttribute(hreflang)}" href="${escapeAttribute(href)}" />`,
    ),
  og_locale: (text) => [property('og:locale', text)],
  og_type: (text) => [property('og:type', text)],
  og_title: (text) => [property('og:title', text)],
  og_description: (text) => [property('og:description', text)],
  og_url: (url) => [property('og:url', url)],
  og_site_name: (text) => [property('og:site_name', text)],
  article_publisher: (url) => [property('article:publisher', url)],
  article_author: (url) => [property('article:author', url)],
  article_published_time: (time) => [property('article:published_time', time)],
  article_modified_time: (time) => [property('article:modified_time', time)],
  og_image: (images) =>
    images.flatMap(({ url, ...facts }) => [
      property('og:image', url),
      ...Object.entries(facts).map(([name, value]) => property(`og:image:${name}`, value)),
    ]),
  author: (name) => [named('author', name)],
  twitter_card: (text) => [named('twitter:card', text)],
  twitter_title: (text) => [named('twitter:title', text)],
  twitter_description: (text) => [named('twitter:description', text)],
  twitter_image: (url) => [named('twitter:image', url)],
  twitter_creator: (handle) => [named('twitter:creator', handle)],
  twitter_site: (handle) => [named('twitter:site', handle)],
  twitter_misc: (rows) =>
    Object.entries(rows).flatMap(([label, value], index) => [
      named(`twitter:label${index + 1}`, label),
      named(`twitter:data${index + 1}`, value),
    ]),
  verification: (rows) => Object.entries(rows).map(([name, content]) => named(name, content)),
  schema: (graph) => [
    `<script type="application/ld+json" class="seo-schema-graph">${toJsonText(graph)}</script>`,
  ],
};

function render<K extends keyof HeadMembers>(json: HeadJson, key: K): readonly string[] {
  const value: HeadMembers[K] | undefined = json[key];
  return value === undefined ? [] : RENDERERS[key](value);
}

const ORDER = Object.keys(RENDERERS) as readonly (keyof HeadMembers)[];

/** The head as markup, one tag per line. Every value is escaped. */
function toMarkup(json: HeadJson): string {
  return ORDER.flatMap((key) => render(json, key)).join('\n');
}

/** The members of a page's head, in the order of the markup. Empty members are omitted. */
export const toHeadJson = (facts: HeadFacts): HeadJson => toFilled(collectMembers(facts));

/** A head as markup and as JSON. */
export function toHead(facts: HeadFacts) {
  const json = toHeadJson(facts);
  return { html: toMarkup(json), json };
}
