import { defineCommand } from '../../frame/command.ts';
import { note, print } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { checkTranslates, listPairs, PAIRS_FORM, toPairs } from '../../site/language-pairs.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { findUser, storeUser } from '../../site/users.ts';

/** In place of pairs. */
const NONE = 'none';

export const userPairs = defineCommand({
  name: 'user pairs',
  summary: 'Show or change the language pairs of a translator',
  description: ['Translators see and take the jobs of their pairs.'],
  operands: {
    login: { help: 'Name that the user logs in with.' },
    pairs: {
      help: `${PAIRS_FORM} ${NONE} removes all. Without it, they are shown.`,
      optional: true,
    },
  },
  options: SITE_OPTIONS,
  examples: [
    ['routebook user pairs theo en:fr,en:de', 'theo translates from English into French and German'],
  ],
  async run({ operands: { login, pairs: text }, values }) {
    await asOperator(values, async (ask, { store, languages }) => {
      const { id, username, roles } = await findUser(ask, login);
      if (text === undefined) {
        const pairs = await listPairs(store, id);
        if (pairs.length === 0) note(`${username} has no language pairs.`);
        else print(pairs.join('\n'));
        return;
      }
      const pairs = text === NONE ? [] : toPairs('PAIRS', text, { languages });
      if (pairs.length > 0) checkTranslates(username, roles);
      await storeUser(store, id, { language_pairs: pairs });
      print(
        pairs.length === 0
          ? `${username} has no language pairs now.`
          : `${username} now translates ${pairs.join(', ')}.`,
      );
    });
  },
});
