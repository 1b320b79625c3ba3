import type { SeededDatabase } from './seeded-database.ts';
import { commitOf, type SeededPlan, seedIssue } from './seeded-issue.ts';
import type { SeededFile } from './seeded-patch.ts';

interface Teller {
  readonly userId: string;
  readonly repoId: string;
  /** The commit at the tip of the repository. */
  readonly base: string;
}

const MINUTE = 60_000;
const HEAD = commitOf('head of the workflow');
const WORKFLOW = '.github/workflows/test.yml';
const used = (input: number, output: number, cost: number) => ({
  ...{ input_tokens: input, output_tokens: output, cost_usd: cost },
});

const body = `Node 22 is at its end. Run the tests of a pull request on Node 24, and say so in the readme.
`;

const triage = { kind: 'chore', risk: 'medium', summary: 'A new version', acceptance_criteria: [], open_questions: [] };

const plan: SeededPlan = {
  revision: 1,
  summary: 'Move the workflow and the readme to Node 24.',
  steps: [
    { title: 'Run on Node 24', detail: 'Raise `node-version` and the action.', files: [WORKFLOW] },
    { title: 'Say so', detail: 'Name the version in the readme.', files: ['README.md'] },
  ],
  acceptance_criteria: ['A pull request is tested on Node 24.', 'The readme names the version that is tested.'],
  risks: ['The workflow runs with the secrets of the repository.'],
  test_strategy: 'The tests pass before and after; the workflow itself runs only once it is pushed.',
  guidance: null,
};

const files: readonly SeededFile[] = [
  {
    path: WORKFLOW,
    start: 8,
    lines: [
      '     steps:',
      '-      - uses: actions/checkout@v4',
      '-      - uses: actions/setup-node@v4',
      '+      - uses: actions/checkout@v5',
      '+      - uses: actions/setup-node@v5',
      '         with:',
      '-          node-version: 22',
      '+          node-version: 24',
      '       - run: npm ci',
      '       - run: npm test',
    ],
  },
  {
    path: 'README.md',
    lines: [
      ' # invoice',
      ' ',
      '-Adds up the lines of an invoice. `npm test` runs the tests.',
      '+Adds up the lines of an invoice. `npm test` runs the tests, on Node 24.',
    ],
  },
];

const tests = {
  ...{ command: 'npm test', verdict: 'green', red_because: null, exit_code: 0, duration_ms: 6_200, base_exit_code: 0 },
  ...{ new_failures: [], failed_before: [], must_pass: [], flaky: [], not_run: [], missing: [], base_tests: null },
  ...{ counts: { passed: 24, failed: 0, skipped: 1 }, base_counts: { passed: 24, failed: 0, skipped: 1 } },
  reproduction: null,
};

const review = 'The workflow and the readme name the same version, and nothing else has changed.';

/** An issue whose change waits for a person before it is pushed, because it changes a workflow. @returns its id */
export function seedPublishGate(database: SeededDatabase, { userId, repoId, base }: Teller): string {
  const issue = seedIssue({
    ...{ userId, repoId, title: 'Test on Node 24', body, labels: ['chore'], at: Date.now() - 47 * MINUTE },
  });
  issue.stage('prepare', { ms: 16_000 }, () => {
    issue.command('npm test', { text: '# tests 25\n# pass 24\n# skipped 1\n', ms: 6_100 });
  });
  issue.stage('plan', { agent: 'planner', ms: 52_000, usage: used(41_300, 1_900, 0.15) });
  issue.plan(plan, triage);
  issue.wait(6 * MINUTE);
  issue.event('review.decided', { revision: 1, action: 'approve', guidance: null, user_id: userId });
  issue.status('running', 'implement');
  issue.stage('implement', { agent: 'coder', ms: 64_000, usage: used(72_000, 2_100, 0.25) });
  issue.patch(files, { base, head: HEAD });
  issue.stage('test', { ms: 12_400, detail: 'green' });
  issue.stage('review', { agent: 'reviewer', ms: 21_000, usage: used(18_000, 600, 0.07), detail: 'approved' });
  issue.stage('publish', {
    ms: 300,
    detail: '1 file that runs with secrets: published only after an approver confirms',
  });
  issue.event('review.requested', { revision: 1 });
  issue.status('human_review', 'publish');
  issue.status('awaiting_approval', 'publish');
  const implementation = { summary: plan.summary, head_commit: HEAD, ran: [], made_by: ['a model'], findings: [] };
  issue.write(database, {
    pipeline: {
      ...{ branch: null, warnings: [], base_commit: base, tree: 'seeded', triage, base_test: null },
      ...{ setup_command: 'npm ci', test_command: 'npm test', setup_source: 'detected', test_source: 'settings' },
      ...{ implementation: { ...implementation, outside_plan: [] }, tests },
      review: { decision: 'approve', summary: review, findings: [] },
    },
    gate: {
      ...{ kind: 'publish', revision: 1, plan_hash: null, base_commit: base, head_commit: HEAD },
      requested_at: new Date(issue.now()).toISOString(),
      expires_at: new Date(Date.now() + 7 * 24 * 60 * MINUTE).toISOString(),
      reasons: [
        `\`${WORKFLOW}\` is a workflow: it runs with the secrets of the repository.`,
        `The change: 2 files, +4 −4: ${WORKFLOW}, README.md.`,
        'The tests pass.',
        '24 passed, 0 failed, 1 skipped; at the base: 24 passed, 0 failed, 1 skipped.',
        `The reviewer approved it: ${review}`,
      ],
      blocker: null,
    },
  });
  return issue.id;
}
