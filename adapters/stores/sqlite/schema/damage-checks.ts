import type { Collections } from '../../../../lib/store/collection.ts';
import { fold } from '../../../../lib/store/stored-text.ts';
import { quoteName } from '../../sql/dialect.ts';
import { toTable, type TableShape } from '../../sql/tables.ts';
import { guard } from '../errors.ts';
import type { Session } from '../session.ts';

/** Records that are read at once, and most that are named. */
const [PAGE, MOST] = [100, 20];

/** The texts of a table that differ from their folded form. */
function* compareTable(session: Session, { name, columns }: TableShape): Generator<string, void> {
  const forms = columns.filter(({ folded }) => folded);
  if (forms.length === 0) return;
  const selected = forms
    .flatMap((form) => [form.field, form.name])
    .map(quoteName)
    .join(', ');
  for (let last = 0; ;) {
    const rows = session.all(
      `SELECT "id", ${selected} FROM ${quoteName(name)} WHERE "id" > ? ORDER BY "id" LIMIT ?`,
      [last, PAGE],
    );
    for (const [id, ...texts] of rows) {
      for (const [index, { field }] of forms.entries()) {
        if (fold(String(texts[2 * index])) !== texts[2 * index + 1]) yield `${name} ${String(id)}: ${field}`;
      }
    }
    if (rows.length < PAGE) return;
    last = Number(rows.at(-1)?.[0]);
  }
}

/**
 * Texts whose folded form, which searches and orders read, is not theirs: one of the two was changed outside of the store, such as by a
 * damaged disk. At most 20.
 */
function listChangedTexts(session: Session, tables: readonly TableShape[]): readonly string[] {
  const found: string[] = [];
  for (const table of tables) {
    for (const line of compareTable(session, table)) {
      found.push(line);
      if (found.length === MOST) return found;
    }
  }
  return found;
}

/** What looks for damage in an open store. */
interface DamageChecks {
  /** Reads the whole file and compares its tables and indexes. */
  checkIntegrity(): readonly string[];
  /** Compares each folded text with its folded form. */
  checkTexts(): readonly string[];
}

/** The checks of a store. `checkOpen`: throws if it is closed. */
export function createDamageChecks(
  session: Session,
  collections: Collections,
  checkOpen: () => void,
): DamageChecks {
  const look = (list: () => readonly string[]) => (): readonly string[] => {
    checkOpen();
    return guard(list);
  };
  return {
    checkIntegrity: look(() =>
      session
        .all('PRAGMA integrity_check(20)')
        .map(([line]) => String(line))
        .filter((line) => line !== 'ok'),
    ),
    checkTexts: look(() =>
      listChangedTexts(
        session,
        [...collections.values()].map((each) => toTable(each)),
      ),
    ),
  };
}
