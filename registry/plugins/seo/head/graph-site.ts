import type { HeadFacts } from '../values/facts.ts';
import { idOf, refer } from './graph-ids.ts';
import type { Piece } from './piece.ts';

/** The first image of the page. */
export function describeImage(facts: HeadFacts): Piece | null {
  const image = facts.isProtected ? undefined : facts.images[0];
  if (image === undefined) return null;
  return {
    '@type': 'ImageObject',
    '@id': idOf.image(facts),
    inLanguage: facts.language,
    url: image.url,
    contentUrl: image.url,
    ...(image.width > 0 && image.height > 0 ? { width: image.width, height: image.height } : {}),
    ...(image.caption === '' ? {} : { caption: image.caption }),
  };
}

/** The breadcrumb from the home page; null when it has only one step. The last step has no URL. */
export function describeBreadcrumb(facts: HeadFacts): Piece | null {
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
export function describeSite(facts: HeadFacts): Piece {
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
export function describeOwner(facts: HeadFacts): Piece {
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
    ...(owner.description === '' ? {} : { description: owner.description }),
    ...(owner.logo === '' ? {} : pictures),
    ...(owner.sameAs.length === 0 ? {} : { sameAs: owner.sameAs }),
  };
}
