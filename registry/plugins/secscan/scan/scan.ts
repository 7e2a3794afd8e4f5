import { eq, type Json, not, oneOf, type StoredRecord } from '../../../../lib/index.ts';
import { type Pause, type Ports, createPause, takeLock, countRecords, slicesOf } from '../../../plugin.ts';
import type { SecscanHost } from '../connection/host.ts';
import { createLinkCount, findBadAddresses, type LinkCount, REPEATED_LINK } from '../rules/addresses.ts';
import type { PostRule, RuleRow, Scope, SiteFault } from '../rules/rule.ts';
import {
  optionRules,
  postRules,
  RULES,
  siteRules,
  TIME_LIMIT,
  toSiteFaults,
  UNREAD,
} from '../rules/rules.ts';
import type { Settings } from '../settings/settings.ts';
import { type Excerpt, isExternal, toExcerpt, toUrl } from '../text/address.ts';
import type { PostText, ScannedAddress } from '../text/post-text.ts';
import { readPost } from '../text/read-post.ts';
import { createIssueBook, type Fault, type IssueBook } from './issues.ts';
import { changeStateOf, SCAN_LOCK, SCAN_LOCK_MS, type Walk, walkRecords } from './scan-state.ts';
import { readSiteFacts, rememberAdministrators } from './site-facts.ts';

const ADDRESS = /\bhttps?:\/\/[^\s"'<>()\\]{1,2048}/gi;

function* listTexts(value: Json): Generator<string> {
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).toReversed());
  }
}

function toAddress(text: string, { own }: Scope): ScannedAddress {
  const url = toUrl(text, own);
  return {
    text,
    element: '',
    link: true,
    loaded: false,
    url,
    external: url !== null && isExternal(url, own),
  };
}

/** The faults of one stored setting: checks every address in its texts. */
function findOptionFaults(option: StoredRecord, scope: Scope): readonly Fault[] {
  const addresses = [...listTexts(option['value'] ?? null)]
    .flatMap((text) => text.match(ADDRESS) ?? [])
    .map((text) => toAddress(text, scope));
  if (addresses.length === 0) return [];
  return optionRules.flatMap((rule) => {
    const parts = findBadAddresses(rule, addresses, scope);
    return parts.length === 0
      ? []
      : [
          {
            rule,
            kind: 'option',
            object: option.id,
            label: `the setting ${String(option['group'])}/${String(option['key'])}`,
            parts,
          },
        ];
  });
}

/** Number of items of a text that a rule checks without a pause. */
const SLICE = 500;

/** What a rule checks in one go: the whole text, or the text with one slice of the rule's list. */
function* listSlices(post: PostText, { each }: PostRule): Generator<PostText> {
  if (each === undefined) yield post;
  else for (const part of slicesOf<unknown>(post[each], SLICE)) yield { ...post, [each]: part };
}

/** One scan to run. `key`: of the lock that was taken when it started. */
export interface ScanJob {
  readonly id: number;
  readonly key: string;
  readonly scope: Scope;
  readonly host: SecscanHost;
  readonly signal: AbortSignal;
}

/** How a scan ended. */
export type ScanEnd = 'finished' | 'stopped' | 'time limit';

/** Progress is reported after this many texts or milliseconds, so that the lock is extended even with very large texts. */
const BATCH = 50;
const REPORT_MS = 5000;

/** Records of one kind. `isWanted`: whether they are scanned. */
interface Round {
  readonly kind: PostText['kind'] | 'option';
  readonly walk: Walk;
  readonly isWanted: (settings: Settings) => boolean;
}

const ROUNDS: readonly Round[] = [
  {
    kind: 'post',
    walk: {
      collection: 'posts',
      where: oneOf('status', ['publish', 'draft', 'pending', 'private', 'future']),
    },
    isWanted: () => true,
  },
  {
    kind: 'revision',
    walk: { collection: 'revisions' },
    isWanted: (settings) => settings['scan.revisions'],
  },
  {
    // The settings of the scan itself contain the names of bad hosts.
    kind: 'option',
    walk: { collection: 'options', where: not(eq('group', 'secscan')) },
    isWanted: (settings) => settings['rules.optionBadURL'],
  },
];

const toFaults = (rule: RuleRow, kind: Fault['kind'], faults: readonly SiteFault[]): readonly Fault[] =>
  faults.map(({ object, label, parts }) => ({ rule, kind, object, label, parts }));

/** Scans everything once, a few texts at a time. */
class Scan {
  readonly #ports: Ports;
  readonly #job: ScanJob;
  readonly #book: IssueBook;
  readonly #links: LinkCount = createLinkCount();
  readonly #pause: Pause = createPause();
  readonly #deadline: number;
  #waiting: Fault[] = [];
  #done = 0;
  #reported = performance.now();

  constructor(ports: Ports, job: ScanJob) {
    this.#ports = ports;
    this.#job = job;
    this.#book = createIssueBook(ports);
    this.#deadline = ports.now() + job.scope.settings['scan.timeLimit'] * 1000;
  }

  async run(): Promise<ScanEnd> {
    const facts = await readSiteFacts(this.#ports, this.#job.host);
    const { scope } = this.#job;
    for (const rule of this.#enabled(siteRules))
      await this.#book.note(toFaults(rule, rule.object, rule.check(facts, scope)));
    const end = await this.#walk();
    if (end === 'time limit') {
      const faults = toSiteFaults([`${scope.settings['scan.timeLimit']} seconds`]);
      await this.#book.note(toFaults(TIME_LIMIT, 'site', faults));
    }
    if (end !== 'finished') return end;
    await this.#noteRepeatedLinks();
    await this.#book.sweep(this.#enabled([...RULES.values()]).map(({ id }) => id));
    await rememberAdministrators(this.#ports, facts);
    return end;
  }

  #enabled<R extends RuleRow>(rules: readonly R[]): readonly R[] {
    const { settings } = this.#job.scope;
    return rules.filter(({ type }) => type === 'timelimit' || settings[`rules.${type}`]);
  }

  async #walk(): Promise<ScanEnd> {
    const rounds = ROUNDS.filter(({ isWanted }) => isWanted(this.#job.scope.settings));
    const counts = rounds.map(({ walk }) => countRecords(this.#ports.store, walk));
    await changeStateOf(this.#ports, this.#job.id, {
      total: (await Promise.all(counts)).reduce((sum, count) => sum + count, 0),
    });
    for (const { walk, kind } of rounds) {
      for await (const record of walkRecords(this.#ports.store, walk)) {
        if (this.#job.signal.aborted) return this.#close('stopped');
        if (this.#ports.now() >= this.#deadline) return this.#close('time limit');
        await this.#lookAt(record, kind);
        this.#done += 1;
        if (this.#isReportDue() && !(await this.#report())) return 'stopped';
        await this.#pause();
      }
    }
    return this.#close('finished');
  }

  #isReportDue(): boolean {
    return this.#done % BATCH === 0 || performance.now() - this.#reported > REPORT_MS;
  }

  /** A record that cannot be read becomes an issue and does not stop the scan of the others. */
  async #lookAt(record: StoredRecord, kind: Round['kind']): Promise<void> {
    try {
      if (kind === 'option') this.#waiting.push(...findOptionFaults(record, this.#job.scope));
      else await this.#lookAtText(record, kind);
    } catch (error) {
      const label = `${kind} ${record.id}`;
      this.#ports.log({
        level: 'error',
        message: `${label} could not be scanned; the scan goes on with the next one`,
        error,
      });
      this.#waiting.push({
        rule: UNREAD,
        kind,
        object: record.id,
        label,
        parts: [toExcerpt(`version ${record.version}`)],
      });
    }
  }

  async #lookAtText(record: StoredRecord, kind: PostText['kind']): Promise<void> {
    const { scope } = this.#job;
    const post = await readPost(record, kind, { own: scope.own, pause: this.#pause });
    for (const rule of this.#enabled(postRules)) {
      const parts: Excerpt[] = [];
      for (const slice of listSlices(post, rule)) {
        for (const part of rule.check(slice, scope)) parts.push(part);
        await this.#pause();
      }
      if (parts.length > 0)
        this.#waiting.push({ rule, kind, object: post.id, label: `${kind} ${post.id}`, parts });
    }
    if (kind === 'post') this.#links.add(post, scope);
  }

  async #noteRepeatedLinks(): Promise<void> {
    const limit = this.#job.scope.settings['links.maxPosts'];
    if (limit === 0 || this.#enabled([REPEATED_LINK]).length === 0) return;
    const faults = [...(await this.#links.list(limit, this.#pause))].map(([object, parts]): Fault => ({
      rule: REPEATED_LINK,
      kind: 'post',
      object,
      label: `post ${object}`,
      parts,
    }));
    await this.#book.note(faults);
    await changeStateOf(this.#ports, this.#job.id, { faults: this.#book.count() });
  }

  async #close(end: ScanEnd): Promise<ScanEnd> {
    return (await this.#report()) ? end : 'stopped';
  }

  /** Stores the faults and the progress. @returns false if the scan must end because a stop was requested or the lock was lost */
  async #report(): Promise<boolean> {
    const faults = this.#waiting;
    this.#waiting = [];
    await this.#book.note(faults);
    const { id, key } = this.#job;
    const state = await changeStateOf(this.#ports, id, { done: this.#done, faults: this.#book.count() });
    this.#reported = performance.now();
    if (state.stop_requested || state.id !== id) return false;
    return (await takeLock(this.#ports, SCAN_LOCK, { key, ttlMs: SCAN_LOCK_MS })) !== null;
  }
}

/** Runs the scan to its end. Issues are written as they are found; only a complete scan removes old ones. */
export async function runScan(ports: Ports, job: ScanJob): Promise<ScanEnd> {
  return new Scan(ports, job).run();
}
