import { codeOf, messageOf } from '../../../lib/core/thrown.ts';

interface SystemError {
  readonly code: string;
  readonly path?: string;
  readonly dest?: string;
  readonly address?: string;
  readonly port?: number;
}

type ToSentence = (place: string, error: SystemError) => string;

const SENTENCES: ReadonlyMap<string, ToSentence> = new Map<string, ToSentence>([
  ['ENOENT', (place) => `${place}: there is no such file or directory`],
  ['EEXIST', (place) => `${place} is there already`],
  ['ENOTDIR', (place) => `${place}: a part of the path is not a directory`],
  ['EISDIR', (place) => `${place} is a directory`],
  ['ENOTEMPTY', (place) => `${place}: the directory is not empty`],
  ['EACCES', (place) => `${place}: this user may not read or write it`],
  ['EPERM', (place) => `${place}: the system does not allow it`],
  ['EROFS', (place) => `${place}: the file system is read-only`],
  ['ENOSPC', (place) => `${place}: the disk is full. Make room, and run the command again`],
  ['EDQUOT', (place) => `${place}: the quota of this user is used up`],
  ['EMFILE', () => 'Too many files are open. Raise the limit (ulimit -n)'],
  [
    'EADDRINUSE',
    (_place, { port, address }) =>
      `The port ${port} of ${address} is in use. Stop the other program, or choose a port with --port (0: a free one)`,
  ],
  [
    'EADDRNOTAVAIL',
    (_place, { address }) => `${address} is not an address of this machine. Choose another one with --host`,
  ],
]);

const isSystemError = (error: unknown): error is SystemError & Error => typeof codeOf(error) === 'string';

/** What a failure of the system means, in a sentence; the message of any other error. `file`: what the error is about, where it does not say so. */
export function describeError(error: unknown, file?: string): string {
  if (!isSystemError(error)) return messageOf(error);
  const listens = error.code === 'EACCES' && error.port !== undefined;
  if (listens) return `The port ${error.port} needs another user. Choose one above 1023 with --port`;
  const place = file ?? error.dest ?? error.path;
  const toSentence = SENTENCES.get(error.code);
  if (
    toSentence === undefined ||
    (place === undefined && error.port === undefined && error.code !== 'EMFILE')
  )
    return error.message;
  return toSentence(place ?? '', error);
}
