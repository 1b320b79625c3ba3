import type { Issue } from '@sluice/client';
import { counted } from '../format/amounts.ts';
import { shortCommit } from '../format/short-commit.ts';
import { visibleText } from '../format/visible-text.ts';
import { approvalsMissing } from './approval-words.ts';

type IssueAtGate = Pick<Issue, 'gate' | 'plan' | 'base_branch'>;

/** What an approval leads to, a sentence each. @param unsent how many remarks would not be sent */
export function approvalWords({ gate, plan, base_branch }: IssueAtGate, unsent: number): readonly string[] {
  const next =
    gate?.kind === 'publish'
      ? [
          `Commit ${shortCommit(gate.head_commit ?? '')} is pushed as a branch, with a pull request where there is a code host.`,
        ]
      : [
          `The change is written as revision ${gate?.revision} plans it, on ${visibleText(base_branch)}, then tested and reviewed.`,
          'What passes is pushed as a branch, with a pull request where there is a code host. Nothing is merged.',
        ];
  const { setup_command: setup, test_command: test } = gate?.kind === 'plan' && plan !== null ? plan : {};
  const missing = gate === null ? 1 : approvalsMissing(gate);
  return [
    ...(missing > 1 ? ['Nothing begins before another person has approved it too.'] : []),
    ...(gate?.blocker == null ? [] : [`If you approve this plan, the issue will fail: ${visibleText(gate.blocker)}`]),
    ...(unsent === 0 ? [] : [`Your ${counted(unsent, 'remark')} on it will not be sent, and will be removed.`]),
    ...next,
    ...(setup === undefined ? [] : [`The setup command of the plan is used: ${visibleText(setup)}`]),
    ...(test === undefined ? [] : [`The test command of the plan is used: ${visibleText(test)}`]),
    ...(setup === undefined && test === undefined
      ? []
      : ['If you are an admin of the repository, it keeps them, unless it has its own.']),
  ];
}

/** What a rejection leads to. */
export function rejectionWords({ gate }: IssueAtGate): readonly string[] {
  return [
    gate?.kind === 'publish'
      ? 'The issue ends as rejected. The change is not published.'
      : 'The issue ends as rejected. Nothing is changed in the repository.',
    'It cannot be retried. To have something done differently, give instructions instead.',
    'Its history stays readable until you delete it.',
  ];
}
