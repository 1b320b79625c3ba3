import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { expect } from 'vitest';
import { type AnIssue, anIssue } from './an-issue.ts';
import type { HttpSession } from './http-session.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

export async function createIssues(person: HttpSession, count: number, testScript?: string): Promise<AnIssue[]> {
  const work: AnIssue[] = [];
  for (let number = 0; number < count; number += 1) {
    work.push(await anIssue(person, { repo: makeBuggyRepo(testScript === undefined ? {} : { testScript }) }));
  }
  return work;
}

export function isGapless(events: readonly (IssueEvent | LiveEvent)[]): void {
  const numbers = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
}
