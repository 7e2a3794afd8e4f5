/** What an editor says of one object, over what its text says. '' and false: nothing. */
export interface SeoMeta {
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly focus_phrase: string;
  readonly breadcrumb_title: string;
  readonly og_title: string;
  readonly og_description: string;
  readonly og_image: string;
  readonly twitter_title: string;
  readonly twitter_description: string;
  readonly twitter_image: string;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  readonly noimageindex: boolean;
  readonly nosnippet: boolean;
  readonly cornerstone: boolean;
}

export const NO_META: SeoMeta = Object.freeze({
  title: '', description: '', canonical: '', focus_phrase: '', breadcrumb_title: '', og_title: '', og_description: '', og_image: '',
  twitter_title: '', twitter_description: '', twitter_image: '',
  noindex: false, nofollow: false, noarchive: false, noimageindex: false, nosnippet: false, cornerstone: false,
});

/** A picture of the page; size 0 and type '' when they are not known. */
export interface ImageFacts {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly type: string;
  readonly caption: string;
}

export interface PersonFacts {
  readonly name: string;
  readonly slug: string;
  /** Archive of the person's posts. */
  readonly url: string;
  readonly description: string;
  readonly sameAs: readonly string[];
}

/** What only a post has. Times are GMT with offset: `2024-01-05T09:00:00+00:00`. */
export interface ArticleFacts {
  readonly published: string;
  readonly modified: string;
  readonly author: PersonFacts | null;
  readonly sections: readonly string[];
  readonly keywords: readonly string[];
  readonly wordCount: number;
  readonly comments: boolean;
}

/** Whom the site stands for. */
export interface OwnerFacts {
  readonly type: 'Organization' | 'Person';
  readonly name: string;
  readonly description: string;
  readonly logo: string;
  /** Addresses of profiles elsewhere. */
  readonly sameAs: readonly string[];
  /** Handle for cards, without `@`; '' for none. */
  readonly handle: string;
  /** Profile address that articles name as their publisher; '' for none. */
  readonly publisher: string;
}

export interface SiteFacts {
  readonly name: string;
  readonly description: string;
  /** Home page in the language of the page, without a trailing slash. */
  readonly home: string;
  readonly owner: OwnerFacts;
  /** Posts on one page of an archive. */
  readonly perPage: number;
  /** Content of verification tags by their name. */
  readonly verification: Readonly<Record<string, string>>;
}

export interface Step {
  readonly name: string;
  readonly url: string;
}

export type PageKind = 'article' | 'front' | 'archive' | 'author' | 'search' | 'error';

/** All that the head of one page is made of. Texts are plain text, addresses are absolute. */
export interface HeadFacts {
  readonly kind: PageKind;
  /** The page's own address; '' for the error page. */
  readonly url: string;
  readonly language: string;
  readonly heading: string;
  /** Title of the document, where an editor gave no other. */
  readonly title: string;
  /** Summary that somebody wrote; '' for none. */
  readonly description: string;
  /** First words of the text, for cards without a summary. */
  readonly opening: string;
  readonly meta: SeoMeta;
  readonly site: SiteFacts;
  readonly article: ArticleFacts | null;
  readonly person: PersonFacts | null;
  readonly images: readonly ImageFacts[];
  readonly trail: readonly Step[];
  /** Language -> address of the same page, this one included; empty when there is no other. */
  readonly alternates: Readonly<Record<string, string>>;
  /** Address for readers of any other language; '' for none. */
  readonly defaultAlternate: string;
  readonly isProtected: boolean;
  /** Addresses of the pages of an archive before and after this one; '' for none. */
  readonly previous: string;
  readonly next: string;
}
