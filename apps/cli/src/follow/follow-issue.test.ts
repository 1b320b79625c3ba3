import type { SluiceClient } from '@sluice/client';
import type { IssueStatus } from '@sluice/core/issue';
import { MODEL_NEEDED } from '@sluice/core/pipeline';
import { aGate, anIssue, aPlan } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';
import { withoutColour } from '../terminal/style.ts';
import { followIssue, retryAdvice } from './follow-issue.ts';

type Listener = Parameters<SluiceClient['issues']['events']['subscribe']>[1];

it('skips the event of a gate that was passed while the gate of the next plan is not open yet', async () => {
  const issue = anIssue({ plan: aPlan({ revision: 2 }), gate: aGate({ revision: 2 }) });
  const reads: IssueStatus[] = ['human_review', 'awaiting_approval', 'completed'];
  let status: IssueStatus = 'running';
  const decided: unknown[] = [];
  const client = {
    issues: {
      events: {
        subscribe(_: unknown, listener: Listener) {
          const statuses: IssueStatus[] = ['awaiting_approval', 'awaiting_approval', 'completed'];
          for (const [index, to] of statuses.entries()) {
            const data = { from: 'human_review', to, stage: null, queue_position: null } as const;
            const of = { seq: index + 1, issue_id: issue.id, at: issue.createdAt.toISOString() };
            listener.onData?.({ id: `${index + 1}`, data: { ...of, type: 'issue.status', data } } as never);
          }
          listener.onComplete?.();
          return { unsubscribe: () => undefined };
        },
      },
      get: {
        query: async () => {
          status = reads.shift() ?? status;
          return { ...issue, status, result: null };
        },
      },
      diff: { query: async () => ({ diff: '' }) },
      approve: {
        mutate: async (decision: unknown) => {
          if (status !== 'awaiting_approval') throw new Error(`decided while the issue was ${status}`);
          decided.push(decision);
          return { ...issue, status: 'running', gate: null };
        },
      },
    },
  } as unknown as SluiceClient;
  const output: Output = {
    json: true,
    messageStyle: withoutColour,
    messageWidth: 80,
    live: null,
    message: () => undefined,
    data: () => undefined,
    longData: async () => undefined,
  };
  const { code } = await followIssue(client, output, {
    issueId: issue.id,
    yes: true,
    canAsk: false,
    wait: true,
    howToDecide: () => '',
    signal: new AbortController().signal,
  });
  expect(code).toBe(exitCode.done);
  expect(decided).toEqual([{ id: issue.id, action: 'approve', revision: 2 }]);
});

it.each([
  ['prepare', 'npm: not found', 'When that is corrected, retry with:  sluice'],
  ['plan', 'There is nothing to do: It works.', 'If something is to be done after all, describe it in a new issue.'],
  ['test', 'The tests fail.', 'Retry with:  sluice'],
])('says what to do after a failure of %s: %s', (stage, detail, advice) => {
  expect(retryAdvice({ error: { stage, detail } }, 'sluice')).toBe(`\n${advice}`);
});

describe('a plan that would end in failed', () => {
  const blocked = (blocker: string) => {
    const issue = anIssue({ status: 'awaiting_approval', plan: aPlan(), gate: aGate({ blocker }) });
    const client = {
      issues: {
        events: {
          subscribe(_: unknown, listener: Listener) {
            const data = { from: 'human_review', to: 'awaiting_approval', stage: null, queue_position: null } as const;
            const of = { seq: 1, issue_id: issue.id, at: issue.createdAt.toISOString() };
            listener.onData?.({ id: '1', data: { ...of, type: 'issue.status', data } } as never);
            return { unsubscribe: () => undefined };
          },
        },
        get: { query: async () => ({ ...issue, result: null }) },
      },
    } as unknown as SluiceClient;
    const shown: string[] = [];
    const output: Output = {
      json: false,
      messageStyle: withoutColour,
      messageWidth: 200,
      live: null,
      message: (text) => void shown.push(text),
      data: () => undefined,
      longData: async () => undefined,
    };
    const follow = (yes: boolean) =>
      followIssue(client, output, {
        issueId: issue.id,
        yes,
        canAsk: false,
        wait: false,
        howToDecide: () => 'Decide with: sluice instruct',
        signal: new AbortController().signal,
      });
    return { follow, shown };
  };

  it('waits at its gate, which is no failure, where the command does not wait', async () => {
    const { follow, shown } = blocked('Its edit does not apply.');
    expect((await follow(false)).code).toBe(exitCode.waitsForApproval);
    expect(shown.join('\n')).toMatch(
      /Its edit does not apply\.[\s\S]*waiting for a decision\. Decide with: sluice instruct/,
    );
  });

  it('is not approved by --yes, and still waits', async () => {
    const { follow } = blocked('Its edit does not apply.');
    await expect(follow(true)).rejects.toMatchObject({
      code: exitCode.waitsForApproval,
      message: expect.stringContaining('does not apply'),
    });
  });

  it.each([false, true])('has a code of its own where only a model is missing, with --yes: %s', async (yes) => {
    await expect(blocked(MODEL_NEEDED).follow(yes)).rejects.toMatchObject({ code: exitCode.modelMissing });
  });
});
