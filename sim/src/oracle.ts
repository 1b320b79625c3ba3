import { isDeepStrictEqual } from 'node:util';
import { type IssueEvent, type IssueStatus, isTerminal, nextStatus } from '@sluice/core/issue';
import type Sqlite from 'better-sqlite3';
import { checkPublished } from './check-published.ts';
import { executionLease } from './execution-lease.ts';
import type { OutboundRequest, Outside } from './outside.ts';
import { CODER_FILES } from './roles.ts';
import type { Schedule } from './schedule.ts';
import { Violation } from './violation.ts';

/** People give each request a key, and its issue the key for a title. Imported issues have other titles: they may come again. */
const isKey = (title: string): boolean => /^issue \d+$/.test(title);

interface IssueRow {
  readonly id: string;
  readonly title: string;
  readonly user_id: string;
  readonly status: IssueStatus;
  readonly last_seq: number;
  readonly slot: number | null;
  readonly queue_ordinal: number | null;
  readonly lease_epoch: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly codehost_number: number | null;
  readonly change_request_number: number | null;
}

/** An issue in the line for its repository. */
interface WaitingRow {
  readonly id: string;
  readonly remote: string;
  readonly place: number;
  /** 0 or 1. */
  readonly held: number;
}

/** What the events and journals of an issue have said so far. */
interface Known {
  status: IssueStatus;
  seq: number;
  journal: number;
  inputTokens: number;
  outputTokens: number;
  /** Answers of models without their usage: 0 between any two writes. */
  unpaid: number;
  epoch: number;
  /** The time at which each epoch began. */
  readonly epochs: { readonly epoch: number; readonly at: number }[];
  /** The coder's last answer: the text of what may be published. */
  answer: string | null;
}

/**
 * How long a lease counts as renewed: an effect may begin that much after another process took the issue, or a person ended
 * it. docs/durability.md has the reason.
 */
const REST_MS = 1_100;

/** Checks every promise against the rows, with a connection and SQL of its own. */
export interface Oracle {
  /** After a step: looks only at issues that the step has changed. @throws Violation */
  check(): void;
  /** Called when a request leaves a process. @throws Violation */
  onSent(request: OutboundRequest): void;
  /** At the end of a run. @throws Violation */
  finish(): void;
  /** Called when a reader gets an event: it must be the row. A deleted issue has none. @throws Violation */
  onRead(event: IssueEvent): void;
  rows(): readonly IssueRow[];
}

export function createOracle(
  raw: Sqlite.Database,
  world: { readonly schedule: Schedule; readonly outside: Outside },
): Oracle {
  const known = new Map<string, Known>();
  const gone = new Map<string, number>();
  /** The issue that was made by each request, also when it is deleted: its key must not make another. */
  const madeBy = new Map<string, string>();
  let version = -1;
  const dataVersion = raw.prepare('pragma data_version').pluck();
  const allIssues = raw.prepare(
    'select id, user_id, title, status, last_seq, slot, queue_ordinal, lease_epoch, input_tokens, output_tokens, codehost_number, change_request_number from issues order by ordinal',
  );
  const newEvents = raw.prepare('select seq, type, data from events where issue_id = ? and seq > ? order by seq');
  const oneEvent = raw.prepare('select type, data from events where issue_id = ? and seq = ?');
  const newEntries = raw.prepare(
    'select ordinal, stage, entry from journal_entries where issue_id = ? and ordinal > ? order by ordinal',
  );
  const slotCount = raw.prepare('select count(*) from slots where retired = 0').pluck();
  const busyRemote = raw.prepare(
    `select r.canonical_remote as remote, count(*) as n from issues i join repos r on r.id = i.repo_id
     where i.slot is not null or i.queue_ordinal is not null or i.status = 'awaiting_approval' group by 1 having n > 1`,
  );
  const line = raw.prepare(
    `select i.id, i.waiting_ordinal as place, r.canonical_remote as remote,
       exists (select 1 from issues h where h.active_remote = r.canonical_remote) as held
     from issues i join repos r on r.id = i.repo_id
     where i.waiting_ordinal is not null and i.status = 'pending' and i.queued_at is null and r.removed_at is null
     order by i.waiting_ordinal`,
  );
  const attemptTokens = raw.prepare('select coalesce(sum(input_tokens), 0) from steps where issue_id = ?').pluck();
  let rows: IssueRow[] = [];
  let waiting: WaitingRow[] = [];

  function follow(row: IssueRow): void {
    let of = known.get(row.id);
    if (of === undefined) {
      of = {
        status: 'pending',
        seq: 0,
        journal: 0,
        inputTokens: 0,
        outputTokens: 0,
        unpaid: 0,
        epoch: 0,
        epochs: [],
        answer: null,
      };
      known.set(row.id, of);
    }
    const name = row.id.slice(-4);
    if (row.lease_epoch < of.epoch) throw new Violation(`the epoch of ${name} went back`);
    if (row.lease_epoch > of.epoch) {
      of.epoch = row.lease_epoch;
      of.epochs.push({ epoch: of.epoch, at: world.schedule.now() });
    }
    if (row.last_seq < of.seq) throw new Violation(`the events of ${name} went back to ${row.last_seq}`);
    if (row.last_seq > of.seq) foldEvents(row, of);
    if (of.status !== row.status) throw new Violation(`${name} is ${row.status}, and its events say ${of.status}`);
    if (row.input_tokens !== of.inputTokens || row.output_tokens !== of.outputTokens || row.last_seq > 0) {
      foldJournal(row, of);
    }
  }

  function foldEvents(row: IssueRow, of: Known): void {
    const name = row.id.slice(-4);
    const events = newEvents.all(row.id, of.seq) as { seq: number; type: string; data: string }[];
    for (const { seq, type, data } of events) {
      if (seq !== of.seq + 1) throw new Violation(`${name} has event ${seq} after ${of.seq}`);
      of.seq = seq;
      if (isTerminal(of.status) && /^(agent|command|stage|plan|review|diff|result)\./.test(type)) {
        throw new Violation(`${name} had ended as ${of.status}, and then came event ${seq}, ${type}`);
      }
      if (type !== 'issue.status') continue;
      const { from, to } = JSON.parse(data) as { from: IssueStatus; to: IssueStatus };
      if (from !== of.status) throw new Violation(`event ${seq} of ${name} goes from ${from}, and it was ${of.status}`);
      if (isTerminal(from) && from !== to && nextStatus(from, 'retried') !== to) {
        throw new Violation(`${name} had ended as ${from} and went on to ${to}`);
      }
      of.status = to;
    }
    if (of.seq !== row.last_seq) throw new Violation(`${name} counts ${row.last_seq} events and has ${of.seq}`);
  }

  function foldJournal(row: IssueRow, of: Known): void {
    const entries = newEntries.all(row.id, of.journal) as { ordinal: number; stage: string; entry: string }[];
    for (const { ordinal, stage, entry } of entries) {
      of.journal = ordinal;
      const made = JSON.parse(entry) as {
        kind: string;
        message?: string;
        usage?: { input_tokens: number; output_tokens: number };
      };
      if (made.kind === 'message' && stage === 'implement') of.answer = made.message ?? null;
      of.unpaid += Number(made.kind === 'message') - Number(made.kind === 'usage');
      of.inputTokens += made.usage?.input_tokens ?? 0;
      of.outputTokens += made.usage?.output_tokens ?? 0;
    }
    if (of.unpaid !== 0) throw new Violation(`an answer for ${row.id.slice(-4)} and its usage were written apart`);
    if (of.inputTokens !== row.input_tokens || of.outputTokens !== row.output_tokens) {
      throw new Violation(
        `${row.id.slice(-4)} counts ${row.input_tokens}+${row.output_tokens} tokens, its journals ${of.inputTokens}+${of.outputTokens}`,
      );
    }
  }

  /** Within one user it is first come, first served; decided issues have the lower places. */
  function checkOrder(before: readonly IssueRow[]): void {
    const now = new Map(rows.map((row) => [row.id, row]));
    for (const started of before) {
      const place = started.queue_ordinal;
      if (place === null || (now.get(started.id)?.slot ?? null) === null) continue;
      const passed = before.find(
        ({ id, user_id, queue_ordinal }) =>
          user_id === started.user_id &&
          queue_ordinal !== null &&
          queue_ordinal < place &&
          (now.get(id)?.queue_ordinal ?? null) === queue_ordinal,
      );
      if (passed !== undefined) {
        throw new Violation(`${started.id.slice(-4)} was started before ${passed.id.slice(-4)}, which waited longer`);
      }
    }
  }

  /** Who waits for a repository waits for somebody who holds it, and nobody who came later is queued first. */
  function checkLine(): void {
    const now = line.all() as WaitingRow[];
    const free = now.find(({ held }) => held === 0);
    if (free !== undefined) throw new Violation(`${free.id.slice(-4)} waits for ${free.remote}, which nobody holds`);
    const there = new Set(now.map(({ id }) => id));
    for (const { id, remote, place } of waiting) {
      const left = there.has(id) ? undefined : rows.find((row) => row.id === id);
      if (left === undefined || (left.queue_ordinal === null && left.slot === null)) continue;
      const passed = waiting.find((one) => one.remote === remote && one.place < place && there.has(one.id));
      if (passed !== undefined) {
        throw new Violation(
          `${id.slice(-4)} was queued before ${passed.id.slice(-4)}, which waited longer for ${remote}`,
        );
      }
    }
    waiting = now;
  }

  function checkSlots(): void {
    const cap = slotCount.get() as number;
    const held = rows.filter(({ slot }) => slot !== null).length;
    const waiting = rows.filter(({ queue_ordinal }) => queue_ordinal !== null).length;
    if (held > cap) throw new Violation(`${held} issues hold ${cap} slots`);
    if (waiting > 0 && held < cap) throw new Violation(`${waiting} issues wait while ${cap - held} slots are free`);
  }

  /** The title is the key of the request, or the issue at the code host. */
  function checkKeys(): void {
    const there = new Set<string>();
    for (const { id, user_id, title: of } of rows) {
      const title = `${of} of ${user_id}`;
      if (there.has(title)) throw new Violation(`two issues were made of "${title}"`);
      there.add(title);
      if (!isKey(of)) continue;
      const first = madeBy.get(title) ?? id;
      if (first !== id) throw new Violation(`a second issue was made of "${title}", after the first one was deleted`);
      madeBy.set(title, id);
    }
  }

  function checkRemotes(): void {
    const busy = busyRemote.get() as { remote: string; n: number } | undefined;
    if (busy !== undefined) throw new Violation(`${busy.n} issues are active on ${busy.remote}`);
  }

  return {
    check() {
      const now = dataVersion.get() as number;
      if (now === version) return;
      version = now;
      const before = rows;
      rows = allIssues.all() as IssueRow[];
      for (const row of rows) follow(row);
      if (rows.length < known.size) {
        const there = new Set(rows.map(({ id }) => id));
        for (const id of known.keys()) {
          if (there.has(id)) continue;
          known.delete(id);
          gone.set(id, world.schedule.now());
        }
      }
      checkOrder(before);
      checkLine();
      checkSlots();
      checkKeys();
      checkRemotes();
    },
    onSent({ process, what, issueId }) {
      const lease = executionLease();
      const sent = `${process.name} sent "${what}" for ${issueId.slice(-4)}`;
      if (lease === null) throw new Violation(`${sent} without a lease`);
      if (issueId === '' || !lease.issueId.endsWith(issueId)) {
        throw new Violation(`${sent} under a lease of ${lease.issueId.slice(-4)}`);
      }
      const of = known.get(lease.issueId);
      const now = world.schedule.now();
      // The first epoch that replaced the lease: later ones do not make it younger.
      const since = of === undefined ? gone.get(lease.issueId) : of.epochs.find(({ epoch }) => epoch > lease.epoch)?.at;
      if (since === undefined || now - since <= REST_MS) return;
      throw new Violation(
        `${sent} under epoch ${lease.epoch}, ${Math.round(now - since)} ms after ${of === undefined ? 'it was deleted' : `another epoch, ${of.epoch} now`}`,
      );
    },
    onRead({ issue_id, seq, type, data }) {
      const row = oneEvent.get(issue_id, seq) as { type: string; data: string } | undefined;
      if (row === undefined) return;
      if (row.type === type && isDeepStrictEqual(JSON.parse(row.data), data)) return;
      throw new Violation(
        `a reader got event ${seq} of ${issue_id.slice(-4)} as ${type} ${JSON.stringify(data)}, and it is ${row.type} ${row.data}`,
      );
    },
    finish() {
      version = -1;
      this.check();
      const { outside } = world;
      checkPublished(outside);
      for (const row of rows) {
        const name = row.id.slice(-4);
        if (row.status !== 'completed') continue;
        const of = known.get(row.id);
        const pulls = outside.pulls.filter(({ headBranch }) => headBranch.includes(row.id.slice(-8)));
        if (pulls.length === 0) throw new Violation(`${name} is completed without a pull request`);
        if (row.change_request_number !== pulls[0]?.number) {
          throw new Violation(`${name} knows #${row.change_request_number} and has #${pulls[0]?.number}`);
        }
        if (row.codehost_number !== null && !outside.comments.some(({ issueId }) => issueId === row.id)) {
          throw new Violation(`${name} is completed, and nobody told it where it came from`);
        }
        if ((attemptTokens.get(row.id) as number) !== row.input_tokens) {
          throw new Violation(
            `the attempts of ${name} add up to ${attemptTokens.get(row.id)} tokens, the issue to ${row.input_tokens}`,
          );
        }
        for (const pull of pulls) checkContent(row, pull, of?.answer ?? null);
      }
    },
    rows: () => rows,
  };

  function checkContent(row: IssueRow, pull: { repo: string; headBranch: string }, answer: string | null): void {
    const branch = world.outside.repo(pull.repo).branches.get(pull.headBranch);
    if (branch === undefined) return; // a person deleted it
    const texts = CODER_FILES.map((path) => branch.files.get(path));
    if (texts.some((text) => text !== answer) || branch.files.has('left-by-a-test.txt')) {
      throw new Violation(
        `${row.id.slice(-4)} published ${JSON.stringify(Object.fromEntries(branch.files))}, and the coder wrote ${answer}`,
      );
    }
  }
}
