import { and, eq, not, oneOf, type Store } from '../../../../lib/index.ts';
import { createContentModel, type ContentDefinition } from '../../../../registry/site.ts';
import { defineCommand } from '../../frame/command.ts';
import { UsageError } from '../../frame/options.ts';
import { print } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { checkLast, findUser, USERS } from '../../site/users.ts';

/** What the user wrote: `5 posts, 2 pages, 3 media`; empty for nothing. What is in the trash does not count. */
async function countWritten(store: Store, content: ContentDefinition, user: number): Promise<string> {
  const counts: string[] = [];
  for (const { name, base, storage } of createContentModel({ ...content, core: true }).types.values()) {
    const ofType =
      storage === 'media' ? [] : [eq('type', name), not(oneOf('status', ['trash', 'auto-draft']))];
    const where = and(eq('author', user), ...ofType);
    const { total } = await store.find({ collection: storage, where, limit: 0, fields: [], total: true });
    if (total > 0) counts.push(`${total} ${base}`);
  }
  return counts.join(', ');
}

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Remove a user',
  description: ['A user who wrote something needs one of the two options. The last administrator stays.'],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: {
    ...SITE_OPTIONS,
    reassign: { value: 'LOGIN', help: 'User who gets what the removed one wrote.' },
    'delete-content': {
      help: 'Move posts and pages of the user to the trash, and delete records of other types and uploads.',
    },
  },
  async run({ operands: { login }, values }) {
    const { reassign, 'delete-content': deletes } = values;
    if (reassign !== undefined && deletes)
      throw new UsageError('--reassign and --delete-content exclude each other');
    await asOperator(values, async (ask, { store, content }) => {
      const user = await findUser(ask, login);
      await checkLast(ask, user);
      const written = await countWritten(store, content, user.id);
      if (written !== '' && reassign === undefined && !deletes)
        throw new UsageError(
          `${user.username} wrote ${written}. Say who gets it (--reassign LOGIN), or that it is to be removed (--delete-content)`,
        );
      const heir = reassign === undefined ? undefined : await findUser(ask, reassign);
      await ask(`${USERS}/${user.id}?force=true&reassign=${heir?.id ?? 'false'}`, { method: 'DELETE' });
      const what =
        written === ''
          ? ''
          : heir === undefined
            ? ` ${written}: removed.`
            : ` ${heir.username} has ${written} more.`;
      print(`Removed ${user.username}.${what}`);
    });
  },
});
