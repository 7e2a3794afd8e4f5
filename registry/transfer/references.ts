/** What a field of records refers to. `group`: a number that the translations of one text share. */
export interface ReferenceRule {
  readonly field: string;
  readonly to: string;
  /** The field is a list of ids. */
  readonly list?: true;
}

/** The fields of each collection that hold ids of other records. */
export const REFERENCES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  credentials: [{ field: 'user', to: 'users' }],
  terms: [{ field: 'parent', to: 'terms' }],
  media: [{ field: 'author', to: 'users' }, { field: 'parent', to: 'posts' }],
  posts: [
    { field: 'author', to: 'users' }, { field: 'parent', to: 'posts' }, { field: 'featured_media', to: 'media' },
    { field: 'categories', to: 'terms', list: true }, { field: 'tags', to: 'terms', list: true }, { field: 'terms', to: 'terms', list: true },
  ],
  revisions: [{ field: 'parent', to: 'posts' }, { field: 'author', to: 'users' }],
  post_history: [{ field: 'post', to: 'posts' }, { field: 'newest', to: 'revisions' }],
  comments: [{ field: 'post', to: 'posts' }, { field: 'parent', to: 'comments' }, { field: 'author', to: 'users' }],
  ml_jobs: [
    { field: 'post', to: 'posts' }, { field: 'result', to: 'posts' }, { field: 'author', to: 'users' }, { field: 'translator', to: 'users' }, { field: 'batch', to: 'ml_batches' },
  ],
  ml_job_log: [{ field: 'job', to: 'ml_jobs' }],
  ml_memory: [{ field: 'post', to: 'posts' }],
  seo_links: [{ field: 'indexable', to: 'seo_indexables' }, { field: 'target', to: 'seo_indexables' }],
};

/** Collections whose records have translation groups. */
export const GROUPED: ReadonlySet<string> = new Set(['posts', 'terms']);
