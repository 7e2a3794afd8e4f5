import type { HeadFacts, PersonFacts } from '../values/facts.ts';
import { idOf, refer } from './graph-ids.ts';
import type { Piece } from './piece.ts';
import type { HeadTexts } from './texts.ts';

/** The article of a post's page; null for a protected post, whose text is private, and for a front page. */
export function describeArticle(facts: HeadFacts): Piece | null {
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
    ...(article.keywords.length === 0 ? {} : { keywords: article.keywords }),
    ...(article.sections.length === 0 ? {} : { articleSection: article.sections }),
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
    ...(person.description === '' ? {} : { description: person.description }),
    ...(person.sameAs.length === 0 ? {} : { sameAs: person.sameAs }),
  };
}

/** The author of the article or of the archive. */
export function describeAuthor(facts: HeadFacts): Piece | null {
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
export function describePage(facts: HeadFacts, texts: HeadTexts): Piece | null {
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
    ...(texts.description === '' ? {} : { description: texts.description }),
    ...(facts.trail.length < 2 ? {} : { breadcrumb: refer(idOf.breadcrumb(facts)) }),
    inLanguage: facts.language,
    potentialAction: [{ '@type': 'ReadAction', target: [facts.url] }],
  };
}
