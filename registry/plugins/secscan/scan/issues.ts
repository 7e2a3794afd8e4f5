import { createHmac } from 'node:crypto';
import {
  desc,
  eq,
  oneOf,
  type Operation,
  or,
  type Order,
  type Predicate,
  type StoredRecord,
  StoreError,
  type Values,
} from '../../../../lib/index.ts';
import {
  type Ports,
  TEXT_KINDS,
  retryRaces,
  slicesOf,
  toCreate,
  toRemove,
  toRemoveAll,
  toUpdate,
} from '../../../plugin.ts';
import type { RuleRow } from '../rules/rule.ts';
import { secscanError } from '../settings/errors.ts';
import type { Excerpt } from '../text/address.ts';
import { readScanState, walkRecords } from './scan-state.ts';

/** Which issues to list. `limit` 0: a hundred. */
interface IssuePage {
  readonly group: 'all' | 'pending';
  readonly offset: number;
  readonly limit: number;
}

/** Types that are fixed on the server and not in the content. They come first within a severity. */
const MACHINE_TYPES = ['publiclyAccessible', 'diskSpace'] as const;
const ORDER: readonly Order[] = [
  desc('severity'),
  { rank: [oneOf('type', MACHINE_TYPES)], direction: 'asc' },
  desc('time'),
];
const DEFAULT_LIMIT = 100;
const NEW = eq('status', 'new');
const IGNORED = oneOf('status', ['ignoreC', 'ignoreP']);

function toIssue(record: StoredRecord) {
  const {
    id,
    time,
    last_updated: lastUpdated,
    status,
    type,
    severity,
    ignore_p: ignoreP,
    ignore_c: ignoreC,
    short_msg: shortMsg,
    long_msg: longMsg,
    data,
  } = record;
  return {
    id,
    time,
    lastUpdated,
    status,
    type,
    severity,
    ignoreP,
    ignoreC,
    shortMsg,
    longMsg: TEXT_KINDS.typed.toShown(String(longMsg)),
    data,
  };
}

/** Issues and the state of the last scan. `all`: open and ignored issues in separate lists with separate pages. */
export async function listIssues(ports: Ports, { group, offset, limit }: IssuePage) {
  const find = async (where: Predicate) => {
    const { records, total } = await ports.store.find({
      collection: 'scan_issues',
      where,
      order: ORDER,
      offset,
      limit: limit === 0 ? DEFAULT_LIMIT : limit,
      total: true,
    });
    return { issues: records.map(toIssue), total };
  };
  const { last_finished: lastFinished, stop_requested: _internal, ...scan } = await readScanState(ports);
  const open = await find(NEW);
  const head = { 'last-scan-time': lastFinished, scan };
  if (group === 'pending') return { count: open.total, ...head, issues: open.issues };
  const ignored = await find(IGNORED);
  return {
    count: open.total + ignored.total,
    ...head,
    issues: { new: open.issues, ignored: ignored.issues },
  };
}

/** Sets the status of an issue, or deletes it. @throws RestError `scan_issue_not_found` */
export async function changeIssue(
  { store, now }: Ports,
  { id, status }: { readonly id: number; readonly status: string },
): Promise<void> {
  const operation =
    status === 'delete'
      ? toRemove('scan_issues', { id })
      : toUpdate('scan_issues', { id }, { status, last_updated: Math.floor(now() / 1000) });
  try {
    await store.commit([operation]);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') throw secscanError('scan_issue_not_found');
    throw error;
  }
}

/** A rule that an object breaks. `label`: name of the object in messages; `parts`: the offending parts. */
export interface Fault {
  readonly rule: RuleRow;
  readonly kind: 'post' | 'revision' | 'option' | 'user' | 'site';
  readonly object: number;
  readonly label: string;
  readonly parts: readonly Excerpt[];
}

const AT_ONCE = 200;
const MAX_PARTS = 10;
const MAX_MESSAGE = 1000;

function toHash(secret: Uint8Array, values: readonly unknown[]): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['secscan issue', ...values]))
    .digest('hex')
    .slice(0, 32);
}

/** The hashes are keyed, so that they do not reveal a hidden part (a password in an address) to someone who guesses it. */
function toHashes(secret: Uint8Array, { rule, kind, object, parts }: Fault) {
  const ignoreP = toHash(secret, [rule.type, kind, object, rule.id]);
  return { ignore_p: ignoreP, ignore_c: toHash(secret, [ignoreP, ...parts.map(({ full }) => full)]) };
}

function toContent({ rule, kind, object, label, parts }: Fault, now: number): Values {
  const shown = parts.slice(0, MAX_PARTS).map((part) => part.shown);
  return {
    last_updated: now,
    short_msg: rule.message,
    long_msg: `${rule.message} Found in ${label}: ${shown.join(', ')}`.slice(0, MAX_MESSAGE),
    data: { rule: rule.id, kind, object, label, parts: shown, count: parts.length },
  };
}

/** The operation for a fault; null if there is nothing to write. */
function toOperation(fault: Fault, known: StoredRecord | undefined, ports: Ports): Operation | null {
  const now = Math.floor(ports.now() / 1000);
  const hashes = toHashes(ports.config.secret, fault);
  const content = { ...hashes, ...toContent(fault, now) };
  if (known === undefined) {
    const { id: rule, type, severity } = fault.rule;
    return toCreate('scan_issues', { ...content, rule, type, severity, status: 'new', time: now });
  }
  if (known['ignore_c'] === hashes.ignore_c || known['status'] === 'ignoreP') return null;
  const reopened = known['status'] === 'ignoreC' ? { status: 'new', time: now } : {};
  return toUpdate('scan_issues', known, { ...content, ...reopened });
}

async function writeFaults(ports: Ports, faults: readonly Fault[]): Promise<readonly number[]> {
  const keys = faults.map((fault) => toHashes(ports.config.secret, fault).ignore_p);
  const { records } = await ports.store.find({
    collection: 'scan_issues',
    where: oneOf('ignore_p', keys),
    fields: ['ignore_p', 'ignore_c', 'status'],
  });
  const known = new Map(records.map((record) => [record['ignore_p'], record]));
  const operations = faults
    .map((fault, index) => toOperation(fault, known.get(keys[index] ?? ''), ports))
    .filter((each) => each !== null);
  const written = operations.length === 0 ? [] : await ports.store.commit(operations);
  return [...records, ...written].flatMap((record) => (record === null ? [] : [record.id]));
}

/** The issues of one scan. Records faults as they are found, and removes issues that no longer exist at the end. */
export type IssueBook = ReturnType<typeof createIssueBook>;

/** Creates the issue book of one scan. */
export function createIssueBook(ports: Ports) {
  const seen = new Set<number>();
  let count = 0;
  return {
    async note(faults: readonly Fault[]): Promise<void> {
      for (const part of slicesOf(faults, AT_ONCE)) {
        // They are looked up again if the status of an issue is changed at the same time.
        for (const id of await retryRaces(() => writeFaults(ports, part))) seen.add(id);
        count += part.length;
      }
    },
    /** Removes issues that were not found again: those of the given rules, which have run, and all new ones. */
    async sweep(ran: readonly string[]): Promise<void> {
      const where = or(oneOf('rule', ran), NEW);
      const gone: number[] = [];
      for await (const { id } of walkRecords(ports.store, {
        collection: 'scan_issues',
        where,
        fields: ['rule'],
      }))
        if (!seen.has(id)) gone.push(id);
      for (const part of slicesOf(gone, AT_ONCE))
        await ports.store.commit([toRemoveAll('scan_issues', oneOf('id', part))]);
    },
    /** Number of faults that were recorded. */
    count: () => count,
  };
}
