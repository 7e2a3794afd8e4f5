import { type HeadFacts, type PersonFacts, toSize } from '../values/head-facts.ts';
import { toFilled } from '../values/scalars.ts';
import type { HeadTexts } from './texts.ts';

/** Ids of the nodes of a graph. They are URLs with fragments, by which nodes refer to each other. */
const idOf = {
  page: ({ url }: HeadFacts): string => url,
  article: ({ url }: HeadFacts): string => `${url}#article`,
  image: ({ url }: HeadFacts): string => `${url}#primaryimage`,
  breadcrumb: ({ url }: HeadFacts): string => `${url}#breadcrumb`,
  site: ({ site }: HeadFacts): string => `${site.home}/#website`,
  owner: ({ site }: HeadFacts): string => `${site.home}/#${site.owner.type.toLowerCase()}`,
  logo: ({ site }: HeadFacts): string => `${site.home}/#/schema/logo`,
  person: ({ site }: HeadFacts, { slug }: PersonFacts): string => `${site.home}/#/schema/person/${slug}`,
};

/** A reference to another node. */
const refer = (id: string) => ({ '@id': id });

/** The article of a post's page; null for a protected post, whose text is private, and for a front page. */
function describeArticle(facts: HeadFacts): Piece | null {
  const { article } = facts;
  if (article === null || facts.isProtected || facts.kind !== 'article') return null;
  const image = facts.images[0];
  return {
    '@type': 'Article',
    '@id': idOf.article(facts),
    isPartOf: refer(idOf.page(facts)),
    mainEntityOfPage: refer(idOf.page(facts)),
    ...(article.author === null
      ? {}
      : { author: { name: article.author.name, ...refer(idOf.person(facts, article.author)) } }),
    headline: facts.heading,
    datePublished: article.published,
    dateModified: article.modified,
    wordCount: article.wordCount,
    publisher: refer(idOf.owner(facts)),
    ...(image === undefined ? {} : { image: refer(idOf.image(facts)), thumbnailUrl: image.url }),
    ...toFilled({ keywords: article.keywords, articleSection: article.sections }),
    inLanguage: facts.language,
    ...(article.comments
      ? { potentialAction: [{ '@type': 'CommentAction', name: 'Comment', target: [`${facts.url}#respond`] }] }
      : {}),
  };
}

function describePerson(facts: HeadFacts, person: PersonFacts): Piece {
  return {
    '@type': 'Person',
    '@id': idOf.person(facts, person),
    name: person.name,
    url: person.url,
    ...toFilled({ description: person.description, sameAs: person.sameAs }),
  };
}

/** The author of the article or of the archive. */
function describeAuthor(facts: HeadFacts): Piece | null {
  if (facts.person !== null)
    return { ...describePerson(facts, facts.person), mainEntityOfPage: refer(idOf.page(facts)) };
  const author = facts.isProtected || facts.kind !== 'article' ? null : (facts.article?.author ?? null);
  return author === null ? null : describePerson(facts, author);
}

const PAGE_TYPES: Readonly<Record<HeadFacts['kind'], string>> = {
  article: 'WebPage',
  front: 'CollectionPage',
  'front-page': 'WebPage',
  archive: 'CollectionPage',
  author: 'ProfilePage',
  search: 'SearchResultsPage',
  error: '',
};

/** The page itself. A protected page has only its name and URL. */
function describePage(facts: HeadFacts, texts: HeadTexts): Piece | null {
  if (facts.kind === 'error') return null;
  const reduced: Piece = {
    '@type': PAGE_TYPES[facts.kind],
    '@id': idOf.page(facts),
    url: facts.url,
    name: texts.title,
    isPartOf: refer(idOf.site(facts)),
  };
  if (facts.isProtected) return { ...reduced, inLanguage: facts.language };
  const image = facts.images[0];
  return {
    ...reduced,
    ...(image === undefined
      ? {}
      : {
          primaryImageOfPage: refer(idOf.image(facts)),
          image: refer(idOf.image(facts)),
          thumbnailUrl: image.url,
        }),
    ...(facts.article === null
      ? {}
      : { datePublished: facts.article.published, dateModified: facts.article.modified }),
    ...toFilled({ description: texts.description }),
    ...(facts.trail.length < 2 ? {} : { breadcrumb: refer(idOf.breadcrumb(facts)) }),
    inLanguage: facts.language,
    potentialAction: [{ '@type': 'ReadAction', target: [facts.url] }],
  };
}

/** The first image of the page. */
function describeImage(facts: HeadFacts): Piece | null {
  const image = facts.isProtected ? undefined : facts.images[0];
  if (image === undefined) return null;
  return {
    '@type': 'ImageObject',
    '@id': idOf.image(facts),
    inLanguage: facts.language,
    url: image.url,
    contentUrl: image.url,
    ...toSize(image),
    ...toFilled({ caption: image.caption }),
  };
}

/** The breadcrumb from the home page; null when it has only one step. The last step has no URL. */
function describeBreadcrumb(facts: HeadFacts): Piece | null {
  if (facts.isProtected || facts.trail.length < 2) return null;
  const last = facts.trail.length;
  return {
    '@type': 'BreadcrumbList',
    '@id': idOf.breadcrumb(facts),
    itemListElement: facts.trail.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      ...(index + 1 === last ? {} : { item: url }),
    })),
  };
}

/** The site and its search. */
function describeSite(facts: HeadFacts): Piece {
  const { site } = facts;
  return {
    '@type': 'WebSite',
    '@id': idOf.site(facts),
    url: `${site.home}/`,
    name: site.name,
    description: site.description,
    publisher: refer(idOf.owner(facts)),
    potentialAction: [
      {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${site.home}/?s={search_term_string}` },
        'query-input': {
          '@type': 'PropertyValueSpecification',
          valueRequired: true,
          valueName: 'search_term_string',
        },
      },
    ],
    inLanguage: facts.language,
  };
}

/** The organization or person that the site represents. */
function describeOwner(facts: HeadFacts): Piece {
  const { owner, home } = facts.site;
  const logo = {
    '@type': 'ImageObject',
    '@id': idOf.logo(facts),
    url: owner.logo,
    contentUrl: owner.logo,
    caption: owner.name,
  };
  // In the vocabulary of schema.org, only an organization has a logo.
  const pictures = owner.type === 'Person' ? { image: logo } : { logo, image: refer(idOf.logo(facts)) };
  return {
    '@type': owner.type,
    '@id': idOf.owner(facts),
    name: owner.name,
    url: `${home}/`,
    ...toFilled({ description: owner.description }),
    ...(owner.logo === '' ? {} : pictures),
    ...toFilled({ sameAs: owner.sameAs }),
  };
}

/** One node of a JSON-LD graph. */
type Piece = Readonly<Record<string, unknown>>;

export interface Graph {
  readonly '@context': 'https://schema.org';
  readonly '@graph': readonly Piece[];
}

/** The builders of the nodes, in order. Each returns null when the page does not have its node. */
const PIECES: readonly ((facts: HeadFacts, texts: HeadTexts) => Piece | null)[] = [
  describeArticle,
  describePage,
  describeImage,
  describeBreadcrumb,
  describeSite,
  describeOwner,
  describeAuthor,
];

/** Structured data of the page (JSON-LD 1.1, schema.org). */
export function toGraph(facts: HeadFacts, texts: HeadTexts): Graph {
  const pieces = PIECES.map((describe) => describe(facts, texts));
  return { '@context': 'https://schema.org', '@graph': pieces.filter((piece) => piece !== null) };
}

/** JSON that is safe inside a script element: `<` and the line separators U+2028 and U+2029 are escaped. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
