import {
  findByIds,
  type NoticeRecipient,
  type Notify,
  type Ports,
  renderTitle,
  runLater,
  TEXT_KINDS,
  type TranslationNotice,
} from '../../../plugin.ts';
import type { JobRow } from './job-record.ts';

/** Time for one notice. Then the next one is sent. */
const NOTICE_MS = 5000;

type Kind = TranslationNotice['kind'];

/** The users whom a notice of each kind concerns. 0: nobody. */
const CONCERNED: Readonly<Record<Kind, (job: JobRow) => readonly number[]>> = {
  assigned: ({ translator }) => [translator],
  due: ({ translator, author }) => [translator, author],
  ready: ({ author }) => [author],
  failed: ({ author }) => [author],
};

async function readUsers(
  { store }: Ports,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NoticeRecipient>> {
  const users = await findByIds(store, { collection: 'users', ids, fields: ['name', 'email'] });
  return new Map(
    [...users].map(([id, { name, email }]) => [
      id,
      { id, name: TEXT_KINDS.name.toShown(String(name)), email: String(email) },
    ]),
  );
}

/** Waits for one notice until its time is over. @throws what `notify` throws, and `TimeoutError` */
async function sendOne(notify: Notify, notice: TranslationNotice): Promise<void> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`notify took longer than ${NOTICE_MS} ms`);
      controller.abort(error);
      reject(error);
    }, NOTICE_MS);
  });
  try {
    await Promise.race([notify(notice, controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendAll(
  ports: Ports,
  notices: readonly TranslationNotice[],
  { notify, signal }: { notify: Notify; signal: AbortSignal },
): Promise<void> {
  for (const notice of notices) {
    const what = `the notice "${notice.kind}" of translation job ${notice.job.id}`;
    if (signal.aborted) {
      ports.log({ level: 'warn', message: `${what} was not delivered, because the site is closing` });
      continue;
    }
    try {
      await sendOne(notify, notice);
    } catch (error) {
      ports.log({ level: 'error', message: `${what} could not be delivered`, error });
    }
  }
}

/**
 * Notifies the users concerned, if the host has connected `notify`. Called after the commit. Returns at once: the notices are delivered in the
 * background, one after the other, each at most once.
 */
export function sendNotices(
  ports: Ports,
  jobs: readonly JobRow[],
  { kind, reason }: { kind: Kind; reason?: TranslationNotice['reason'] },
): void {
  const { notify } = ports;
  if (notify === undefined || jobs.length === 0) return;
  runLater(ports, 'translation notices', async (signal) => {
    const users = await readUsers(ports, jobs.flatMap(CONCERNED[kind]));
    const notices = jobs.map((each): TranslationNotice => {
      const { id, post, title, source, target, status, deadline, automatic, translator } = each;
      return {
        kind,
        job: { id, post, title: renderTitle(title), source, target, status, deadline, automatic, translator },
        to: [...new Set(CONCERNED[kind](each))].flatMap((user) => users.get(user) ?? []),
        ...(reason === undefined ? {} : { reason }),
      };
    });
    await sendAll(ports, notices, { notify, signal });
  });
}
