import { setTimeout as pause } from 'node:timers/promises';
import type { IssueEvent, IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { fixingIssue, type ScratchRepo } from '../scratch-repo.ts';
import type { Chance } from './chance.ts';
import type { Ledger } from './ledger.ts';
import type { Person } from './person.ts';

const AGAIN_MS = 250;

/** What the person has in mind for an issue. */
export type Fate = 'approve' | 'instruct' | 'reject' | 'cancel';

/** One issue as its person has seen it. */
export interface Trip {
  readonly repo: ScratchRepo;
  readonly fate: Fate;
  id: string;
  readonly seen: IssueEvent[];
  over: boolean;
}

export interface JourneyOptions {
  readonly repo: ScratchRepo;
  readonly issues: number;
  /** A person without an account. */
  readonly newPerson: () => Person;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly trips: Trip[];
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
}

let people = 0;

/** Takes a repository's issues to their ends, one after the other, as a person would. */
export async function travel(options: JourneyOptions): Promise<void> {
  const { chance, ledger, repo, trips, signal } = options;
  let owner = await settle(options);
  for (let number = 0; number < options.issues && !signal.aborted; number += 1) {
    const trip: Trip = { repo, fate: fateOf(chance), id: '', seen: [], over: false };
    trips.push(trip);
    while (trip.id === '' && !signal.aborted) {
      const answer = await owner.person.call<IssueWire & { active_issue_id?: string }>('POST', '/api/issues', {
        repo_id: owner.repoId,
        ...fixingIssue,
      });
      if (answer?.status === 201) trip.id = answer.body.id;
      // An answer that was lost on its way: the issue is there, and says so.
      else if (answer?.status === 409 && answer.body.active_issue_id !== undefined)
        trip.id = answer.body.active_issue_id;
      // Each try counts against the limit by user, also one in an outage.
      else if (answer?.status === 429) owner = await settle(options);
      else if (answer !== null) ledger.violation(`an issue was refused: ${JSON.stringify(answer)}`);
      if (trip.id === '') await pause(AGAIN_MS);
    }
    if (chance.next() < 0.2) await tryTwice(owner, trip, ledger);
    await follow(owner.person, { trip, options });
  }
}

interface Owner {
  readonly person: Person;
  readonly repoId: string;
}

/** Registers a person and a repository, and retries until both exist. */
async function settle(options: JourneyOptions): Promise<Owner> {
  const { newPerson, repo, signal, ledger } = options;
  const person = newPerson();
  const email = `chaos${process.pid}-${++people}@example.com`;
  const password = 'a long enough passphrase';
  for (let isKnown = false; !signal.aborted; await pause(AGAIN_MS)) {
    if (!isKnown) {
      const registered = await person.call('POST', '/api/auth/register', { email, password });
      // A registration whose answer was lost stands: its person logs in.
      const answer =
        registered?.status === 409 ? await person.call('POST', '/api/auth/login', { email, password }) : registered;
      isKnown = answer !== null && answer.status < 300;
      if (!isKnown) continue;
    }
    const added = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
    if (added?.status === 201) return { person, repoId: added.body.id };
    const listed = await person.call<{ items: RepoWire[] }>('GET', '/api/repos');
    const [mine] = listed?.body.items ?? [];
    if (mine !== undefined) return { person, repoId: mine.id };
    if (added?.status === 429) return await settle(options);
    if (added !== null) ledger.violation(`a repository was refused: ${JSON.stringify(added)}`);
  }
  return { person, repoId: '' };
}

function fateOf(chance: Chance): Fate {
  const dice = chance.next();
  if (dice < 0.79) return 'approve';
  if (dice < 0.86) return 'instruct';
  return dice < 0.93 ? 'reject' : 'cancel';
}

/** A second issue on a repository that is busy with the first one. */
async function tryTwice({ person, repoId }: Owner, trip: Trip, ledger: Ledger): Promise<void> {
  const answer = await person.call<{ active_issue_id?: string }>('POST', '/api/issues', {
    repo_id: repoId,
    ...fixingIssue,
  });
  if (answer === null || answer.status === 429) return;
  if (answer.status === 409 && answer.body.active_issue_id === trip.id) ledger.note('a busy repository refused');
  else ledger.violation(`a second issue beside ${trip.id}: ${JSON.stringify(answer)}`);
}

async function follow(person: Person, { trip, options }: { trip: Trip; options: JourneyOptions }): Promise<void> {
  const { ledger, chance, signal } = options;
  const cancelAfter = chance.between(2, 14); // events: anywhere from the start to the gate
  let deciding: Promise<void> = Promise.resolve();
  let isOver = false;
  let isCancelled = false;
  const act = (how: () => Promise<void>) => {
    deciding = deciding.then(how);
  };
  const onEvent = (event: IssueEvent) => {
    const last = trip.seen.at(-1)?.seq ?? 0;
    if (event.seq !== last + 1) ledger.violation(`stream of ${trip.id}: ${event.seq} after ${last}`);
    trip.seen.push(event);
    isOver = event.type === 'issue.status' && isLast(event.data.to);
    if (trip.fate === 'cancel') {
      const isTime = !isCancelled && (event.seq >= cancelAfter || event.type === 'review.requested');
      isCancelled ||= isTime;
      if (isTime) act(() => cancel(person, trip, signal));
    } else if (event.type === 'review.requested') {
      const { revision } = event.data;
      act(() => decide(person, { trip, revision, signal }));
    }
  };
  while (!isOver && !signal.aborted) {
    const how = await person.stream(trip.id, trip.seen.at(-1)?.seq ?? 0, onEvent);
    if (how === 'over' && !isOver) {
      ledger.violation(`the stream of ${trip.id} says that it is over after ${trip.seen.length} events`);
      return;
    }
    if (!isOver) await pause(AGAIN_MS);
  }
  await deciding;
  trip.over = isOver;
}

const LAST = ['completed', 'rejected', 'failed', 'cancelled'];
const isLast = (status: string) => LAST.includes(status);

async function decide(person: Person, about: { trip: Trip; revision: number; signal: AbortSignal }): Promise<void> {
  const { trip, revision, signal } = about;
  const instructs = trip.fate === 'instruct' && revision === 1;
  const action = trip.fate === 'reject' ? 'reject' : instructs ? 'instruct' : 'approve';
  const decision = { action, revision, ...(instructs ? { guidance: 'Leave the rest as it is.' } : {}) };
  while (!signal.aborted) {
    const answer = await person.call('POST', `/api/issues/${trip.id}/approve`, decision);
    if (answer?.status === 200) return;
    const issue = await person.call<IssueWire>('GET', `/api/issues/${trip.id}`);
    const isOpen = issue?.body.status === 'awaiting_approval' && issue.body.gate?.revision === revision;
    // `review.requested` is written a moment before the gate is open.
    if (issue !== null && !isOpen && issue.body.status !== 'human_review') return;
    await pause(AGAIN_MS);
  }
}

async function cancel(person: Person, trip: Trip, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await person.call('DELETE', `/api/issues/${trip.id}`);
    if (answer?.status === 204 || answer?.status === 409) return;
    await pause(AGAIN_MS);
  }
}
