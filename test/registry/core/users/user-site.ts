import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import {
  createWholeSite,
  type Answer,
  type Asking,
  type WholeSite,
  type WholeSiteOptions,
} from '../../../support/whole-site.ts';

/** A word that is in every field of a user that only the user and administrators may see. */
export const toKept = (login: string): string => `kept-${login}-zq`;

const user = (id: number, login: string, role: string) => ({
  id,
  login: toLogin(login),
  role,
  name: `The ${login}`,
  slug: login,
  email: `${toKept(login)}@mail.test`,
  password: `${login}pass`,
  first_name: toKept(login),
  last_name: toKept(login),
  nickname: toKept(login),
  registered: '2024-01-01T00:00:00',
});

/** The login of a user: a word that only administrators may see. */
export function toLogin(login: string): string {
  return `${login}.${toKept(login)}`;
}

/** `admin` and `author` have published something. `writer` has drafts only, in another language and in the trash. */
export const userFixture: Fixture = {
  site: { name: 'Users', timezone_string: 'UTC', default_category: 1 },
  users: [
    user(1, 'admin', 'administrator'),
    user(2, 'editor', 'editor'),
    user(3, 'author', 'author'),
    user(4, 'writer', 'author'),
    user(5, 'contributor', 'contributor'),
    user(6, 'subscriber', 'subscriber'),
  ],
  categories: [{ id: 1, name: 'All', slug: 'all' }],
  posts: [
    { id: 101, author: 1, status: 'publish', slug: 'a', title: 'A', date: '2024-01-01T00:00:00' },
    {
      id: 102,
      author: 3,
      status: 'publish',
      slug: 'b',
      title: 'B',
      date: '2024-01-02T00:00:00',
      ml_language: 'fr',
    },
    { id: 103, author: 3, status: 'draft', slug: 'c', title: 'C', date: '2024-01-03T00:00:00' },
    { id: 104, author: 4, status: 'draft', slug: 'd', title: 'D', date: '2024-01-04T00:00:00' },
    {
      id: 105,
      author: 4,
      status: 'trash',
      trashed_from: 'publish',
      slug: 'e__trashed',
      title: 'E',
      date: '2024-01-05T00:00:00',
    },
  ],
};

/** The users with something published. */
export const AUTHORS = [1, 3];
export const CALLERS = [null, 'admin', 'editor', 'author', 'writer', 'contributor', 'subscriber'] as const;

/** Runs with a whole site that has the core controllers. Callers are named by their slug. */
export async function withUsers(
  run: (ask: (asking: Asking) => Promise<Answer>, site: WholeSite) => Promise<void>,
  options: Partial<WholeSiteOptions> = {},
): Promise<void> {
  const site = await createWholeSite({ fixture: userFixture, content: 'core', ...options });
  const toToken = ({ as = null, ...asking }: Asking): Asking => ({
    ...asking,
    as: as === null ? null : toLogin(as),
  });
  try {
    await run((asking) => site.ask(toToken(asking)), site);
  } finally {
    await site.close();
  }
}

/** The header of a login with a password. */
export const basic = (login: string, password: string): { readonly authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
