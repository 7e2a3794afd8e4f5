import {
  type Operation,
  type Order,
  type Predicate,
  StoreError,
  type StoredRecord,
  eq,
  oneOf,
} from '../../../../lib/index.ts';
import { type Ports, TEXT_KINDS } from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import { readScanState, type ScanState } from './scan-state.ts';

/** Which issues to list. `limit` 0: a hundred. */
interface IssuePage {
  readonly group: 'all' | 'pending';
  readonly offset: number;
  readonly limit: number;
}

/** Types that are fixed on the server and not in the content. They come first within a severity. */
const MACHINE_TYPES = ['publiclyAccessible', 'diskSpace'] as const;
const ORDER: readonly Order[] = [
  { field: 'severity', direction: 'desc' },
  { rank: [oneOf('type', MACHINE_TYPES)], direction: 'asc' },
  { field: 'time', direction: 'desc' },
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

function toProgress({ id, status, started, ended, total, done, faults }: ScanState) {
  return { id, status, started, ended, total, done, faults };
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
  const state = await readScanState(ports);
  const open = await find(NEW);
  const head = { 'last-scan-time': state.last_finished, scan: toProgress(state) };
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
  const operation: Operation =
    status === 'delete'
      ? { op: 'remove', collection: 'scan_issues', id }
      : {
          op: 'update',
          collection: 'scan_issues',
          id,
          values: { status, last_updated: Math.floor(now() / 1000) },
        };
  try {
    await store.commit([operation]);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') throw secscanError('scan_issue_not_found');
    throw error;
  }
}
