import type { ChangedSubject } from '@sluice/core';

/** Names a subject among all. */
export function subjectKey({ codehostRepoId, kind, number }: ChangedSubject): string {
  return `${codehostRepoId} ${kind} ${number}`;
}
