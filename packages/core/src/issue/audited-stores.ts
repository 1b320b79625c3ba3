import type { AuditAct, AuditActor, NewAuditEntry } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { RepoPatch } from '../repo/repo.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import type { NewEvent } from './event-catalog.ts';
import type { NewIssue } from './issue.ts';
import type { IssueTrigger } from './issue-machine.ts';
import type { IssueChange, IssueStore } from './issue-store.ts';

interface Stores {
  readonly issues: IssueStore;
  readonly repos: RepoStore;
}

/**
 * The stores as one person has them: each of his writes carries its audit entry, and is written with it or not at all.
 * Whatever works on a user's behalf is given these, so that no command can forget to say who did it; the worker has the
 * plain ones, and what it does stands in the issue's events.
 */
export function auditedStores<S extends Stores>(stores: S, by: { userId: UserId; actor: AuditActor }): Stores {
  const { issues, repos } = stores;
  const entry = (act: AuditAct): NewAuditEntry => ({ ...by, act });
  return {
    issues: {
      ...issues,
      create: (issue, options) => issues.create(issue, { ...options, audit: entry(creation(issue)) }),
      apply: (change) => {
        const act = actOf(change);
        return issues.apply(act === null ? change : { ...change, audit: entry(act) });
      },
      edit: (id, text) => issues.edit(id, text, entry({ action: 'issue.edited', subjectId: id, detail: {} })),
      addNote: (id, text) => issues.addNote(id, text, entry({ action: 'issue.noted', subjectId: id, detail: {} })),
      remove: (id) => issues.remove(id, entry({ action: 'issue.deleted', subjectId: id, detail: {} })),
    },
    repos: {
      ...repos,
      create: (repo, _audit, answer) => {
        const act = { action: 'repo.registered', subjectId: repo.id, detail: { name: repo.name } } as const;
        return repos.create(repo, entry(act), answer);
      },
      update: (id, patch) =>
        repos.update(id, patch, (name) =>
          entry({ action: 'repo.changed', subjectId: id, detail: { name, fields: namedIn(patch) } }),
        ),
      remove: (id) => repos.remove(id, (name) => entry({ action: 'repo.removed', subjectId: id, detail: { name } })),
    },
  };
}

function creation({ id, repoId, codehost }: NewIssue): AuditAct {
  const number = codehost?.number ?? null;
  if (number === null) return { action: 'issue.created', subjectId: id, detail: { repo_id: repoId } };
  return { action: 'issue.imported', subjectId: id, detail: { repo_id: repoId, number } };
}

const byTrigger = { queued: 'issue.queued', retried: 'issue.retried', cancelled: 'issue.cancelled' } as const;

/** Null for what no person does. */
function actOf(change: IssueChange): AuditAct | null {
  const { trigger, issueId: subjectId } = change;
  if (isOf(byTrigger, trigger)) return { action: byTrigger[trigger], subjectId, detail: {} };
  const decided = change.events.find((event): event is Decided => event.type === 'review.decided');
  if (decided === undefined) return null;
  const { action, revision } = decided.data;
  return { action: 'issue.decided', subjectId, detail: { action, on: decidedOn(change), revision } };
}

type Decided = Extract<NewEvent, { type: 'review.decided' }>;

/** The stage that a decision leads to tells at which gate it was taken: see `decideGate`. */
function decidedOn({ trigger, set }: IssueChange): 'plan' | 'publication' {
  if (trigger === 'publication_confirmed' || trigger === 'publication_decided_without_slot') return 'publication';
  const ofPublication = { plan_rejected: 'publish', guidance_given: 'implement' } as const;
  return isOf(ofPublication, trigger) && set?.stage === ofPublication[trigger] ? 'publication' : 'plan';
}

function isOf<T extends object>(table: T, trigger: IssueTrigger): trigger is IssueTrigger & keyof T {
  return Object.hasOwn(table, trigger);
}

/** What a patch says, by the names of the wire; a token by its name alone. */
function namedIn(patch: RepoPatch): string[] {
  const said = Object.entries(patch).filter(([, value]) => value !== undefined);
  return said.map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).sort();
}
