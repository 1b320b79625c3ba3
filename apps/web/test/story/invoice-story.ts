import { discountReport, invoiceFiles, invoicePlan, invoiceTriage, secondPlan } from './invoice-change.ts';
import type { SeededDatabase } from './seeded-database.ts';
import { commitOf, type SeededIssue, seedIssue } from './seeded-issue.ts';

const MINUTE = 60_000;
const BASE = commitOf('base');
const HEAD = commitOf('head');
const [ISSUE, PULL] = [41, 58]; // their numbers at the code host

export interface InvoiceStory {
  readonly atGate: string;
  readonly running: string;
  readonly done: string;
  readonly failed: string;
}

interface Teller {
  readonly userId: string;
  readonly repoId: string;
  /** The commit at the tip of the repository, to which the gate is bound. */
  readonly base?: string;
}

/** One issue in each state that a person cares about, as a model would have worked on them. */
export function seedInvoiceStory(database: SeededDatabase, { userId, repoId, base = BASE }: Teller): InvoiceStory {
  const start = (title: string, body: string, minutes: number) =>
    seedIssue({ userId, repoId, title, body, at: ago(minutes), labels: ['bug', 'billing'] });

  const done = seedDone(database, { userId, repoId, base });

  const failed = start('Round the tax per line', 'The tax of an invoice is off by a cent when it has many lines.', 400);
  failed.stage(
    'prepare',
    { ms: 41_000, failure: 'npm ci: exit code 1. The registry does not have left-pad@9.9.9.' },
    () => {
      failed.command('npm ci', {
        text: 'npm error code ETARGET\nnpm error notarget No matching version found for left-pad@9.9.9.\n',
        exit: 1,
        ms: 39_000,
      });
    },
  );
  failed.status('failed', 'prepare');
  failed.write(database, {
    error: {
      stage: 'prepare',
      detail: 'The setup command `npm ci` failed with exit code 1: no matching version found for left-pad@9.9.9.',
    },
  });

  const atGate = start('Print the discount of each line', printReport, 26);
  seedToPlan(atGate, base);
  atGate.wait(3 * MINUTE);
  decide(atGate, { userId, revision: 1, action: 'instruct', guidance: 'Keep the column when no line has a discount.' });
  atGate.stage('plan', { agent: 'planner', ms: 74_000, usage: used(61_200, 2_900, 0.24) });
  atGate.plan(secondPlan, invoiceTriage);
  const requested = new Date(atGate.now()).toISOString();
  atGate.write(database, {
    pipeline: { ...pipelineOf(base, null), warnings: [hiddenText] },
    gate: {
      ...{ kind: 'plan', revision: 2, plan_hash: null, base_commit: base, head_commit: null, requested_at: requested },
      expires_at: new Date(Date.now() + 6 * 24 * 60 * MINUTE).toISOString(),
      reasons: [hiddenText, 'No code is written before a person has approved the plan.'],
      blocker: null,
    },
  });

  database.insert('estimates', [
    {
      ...{ issue_id: atGate.id, revision: 2, made_at: Date.parse(requested), size: 4 },
      ...{ cost_before: 0.52, active_ms_before: 240_000 },
      estimate: {
        history: 48,
        cost_usd: { point: 0.62, low: 0.31, high: 1.45 },
        active_ms: { point: 9 * MINUTE, low: 4 * MINUTE, high: 21 * MINUTE },
        coverage: { held: 45, of: 56 },
      },
    },
  ]);

  const running = start(
    'Print a discount as a percentage',
    'Customers ask for the percentage: an invoice shows cents alone.',
    4,
  );
  seedToPlan(running, base);
  decide(running, { userId, revision: 1, action: 'approve', guidance: null });
  running.begin('implement', 'coder');
  seedWork(running, base);
  running.write(database, {
    ...{ pipeline: pipelineOf(base, null), slot: 1, lease_owner: 'a worker elsewhere', lease_epoch: 3 },
    lease_expires_at: Date.now() + 24 * 60 * MINUTE,
  });
  return { atGate: atGate.id, running: running.id, done, failed: failed.id };
}

/**
 * An issue whose change is published.
 *
 * @param repoUrl the page of its repository at a code host, from which it is imported and where it has a pull request
 * @returns its id
 */
export function seedDone(
  database: SeededDatabase,
  { userId, repoId, base = BASE }: Teller,
  repoUrl: string | null = null,
): string {
  const done = seedIssue({
    ...{ userId, repoId, title: 'A 10 % discount takes off ten cents', body: discountReport },
    ...{ at: ago(190), labels: ['bug', 'billing'] },
  });
  const pullUrl = repoUrl === null ? null : `${repoUrl}/pull/${PULL}`;
  seedToPlan(done, base);
  done.wait(4 * MINUTE);
  decide(done, { userId, revision: 1, action: 'approve', guidance: null });
  seedChange(done, base);
  seedEnd(done, base, pullUrl);
  done.write(database, {
    ...{ result: resultOf(base, pullUrl), pipeline: pipelineOf(base, HEAD) },
    ...(repoUrl !== null && {
      ...{ origin: 'codehost', codehost_number: ISSUE, codehost_url: `${repoUrl}/issues/${ISSUE}` },
      ...{ change_request_number: PULL, change_request_state: 'open' },
    }),
  });
  return done.id;
}

function ago(minutes: number): number {
  return Date.now() - minutes * MINUTE;
}

const printReport = `The printed invoice shows the price of each line **after** its discount, and customers ask how it came about.

- a column *Discount* between *Price* and *Total*
- \`—\` where a line has none
`;

const hiddenText = 'The text of the issue contains 3 characters that are invisible to a reader (U+200B).';

function used(input: number, output: number, cost: number) {
  return { input_tokens: input, output_tokens: output, cost_usd: cost };
}

function decide(
  issue: SeededIssue,
  { userId, revision, action, guidance }: { userId: string; revision: number; action: string; guidance: string | null },
): void {
  issue.event('review.decided', { revision, action, guidance, user_id: userId });
}

function seedToPlan(issue: SeededIssue, base: string): void {
  issue.status('running', 'prepare');
  issue.stage('prepare', { ms: 18_400 }, () => {
    issue.command('npm ci', { text: 'added 212 packages in 9s\n', ms: 9_200 });
    issue.command('npm test', { text: testOutput(false), exit: 1, ms: 6_100 });
    issue.event('agent.message', {
      agent: 'service',
      text: 'The tests ran at the base, before any change: one fails.',
    });
  });
  issue.stage('index', { ms: 2_100, detail: '214 files, 1,802 chunks' });
  issue.stage('triage', { agent: 'triager', ms: 6_800, usage: used(3_900, 310, 0.02), detail: 'bug, low risk' }, () => {
    issue.event('agent.message', { agent: 'triager', text: `A bug in how a line is priced, at ${base.slice(0, 10)}.` });
  });
  issue.stage('plan', { agent: 'planner', ms: 96_000, usage: used(88_400, 4_150, 0.33) }, () => {
    issue.event('agent.message', { agent: 'planner', text: 'Reading where the discount is applied.' });
    issue.tool('planner', {
      tool: 'search_code',
      input: { query: 'discount percent line price' },
      summary: 'src/invoice.js:2 linePrice\nsrc/print.js:14 printLine',
    });
    issue.tool('planner', { tool: 'read_file', input: { path: 'src/invoice.js' }, summary: 'lines 1-10 of 10' });
    issue.wait(60_000);
  });
  issue.plan(invoicePlan, invoiceTriage);
}

function seedWork(issue: SeededIssue, base: string): void {
  issue.event('agent.message', { agent: 'coder', text: 'Starting with the failing test, then the price.' });
  issue.tool('coder', { tool: 'read_file', input: { path: 'src/invoice.js' }, summary: 'lines 1-10 of 10' });
  issue.wait(8_000);
  issue.tool('coder', {
    tool: 'edit_file',
    input: {
      path: 'src/invoice.js',
      old_text: 'full - discountPercent',
      new_text: 'full * (1 - discountPercent / 100)',
    },
    summary: 'Edited src/invoice.js.',
  });
  issue.tool('coder', {
    tool: 'edit_file',
    input: { path: 'src/print.js', old_text: 'line.total', new_text: 'money(line.total)' },
    ok: false,
    summary: 'old_text is not in src/print.js. Read the file again and copy the lines exactly.',
  });
  issue.wait(5_000);
  issue.command('npm test', { text: testOutput(true), ms: 6_400 });
  issue.patch(invoiceFiles, { base, head: null });
}

function seedChange(issue: SeededIssue, base: string): void {
  issue.status('running', 'implement');
  issue.stage('implement', { agent: 'coder', ms: 141_000, usage: used(204_000, 6_300, 0.71) }, () => {
    seedWork(issue, base);
    const note = issue.event('user.message', { text: 'Please keep the comment above linePrice.' });
    issue.wait(9_000);
    issue.event('note.read', { agent: 'coder', seq: note });
    issue.event('agent.message', { agent: 'coder', text: 'The comment stays. All tests pass.' });
  });
  issue.patch(invoiceFiles, { base, head: HEAD });
}

function seedEnd(issue: SeededIssue, base: string, pullUrl: string | null): void {
  issue.stage('test', { ms: 12_900, detail: 'green' }, () => {
    issue.command('npm test', { text: testOutput(true), ms: 6_200, errors: 'ExperimentalWarning: localStorage\n' });
  });
  issue.stage('review', { agent: 'reviewer', ms: 31_000, usage: used(41_000, 1_200, 0.17), detail: 'approved' }, () => {
    issue.event('agent.message', { agent: 'reviewer', text: 'The change does what the plan says, and nothing else.' });
  });
  const pull = pullUrl === null ? '' : `; pull request #${PULL}`;
  issue.stage('publish', { ms: 1_900, detail: `branch sluice/0193a5b0-a-10-discount${pull}` });
  issue.event('result.published', { result: resultOf(base, pullUrl) });
  issue.status('completed', 'publish');
}

const testReport = {
  ...{ command: 'npm test', verdict: 'green', red_because: null, exit_code: 0, duration_ms: 6_200, base_exit_code: 1 },
  ...{ new_failures: [], failed_before: [], must_pass: [], flaky: [], not_run: [], missing: [], base_tests: null },
  counts: { passed: 24, failed: 0, skipped: 1 },
  base_counts: { passed: 22, failed: 1, skipped: 1 },
  reproduction: {
    outcome: 'reproduced',
    detail: 'Failed at the base and pass now: test/invoice.test.js > a discount takes its percentage off the line.',
  },
};

const findings = [
  { kind: 'scratch_file', path: 'notes.txt', line: null, detail: 'A new file that the plan does not name.' },
];

function resultOf(base: string, pullUrl: string | null) {
  return {
    ...{ branch: 'sluice/0193a5b0-a-10-discount', base_commit: base, head_commit: HEAD, change_request_url: pullUrl },
    summary: 'The discount is a percentage of the line again.\n\n- `linePrice` multiplies\n- a test for two chairs\n',
    ...{ files_changed: invoiceFiles.length, additions: 9, deletions: 2, tests: testReport, findings, answer: null },
  };
}

function pipelineOf(base: string, head: string | null) {
  return {
    ...{ branch: 'sluice/0193a5b0-a-10-discount', warnings: [], base_commit: base, tree: 'seeded' },
    ...{ setup_command: 'npm ci', test_command: 'npm test', setup_source: 'detected', test_source: 'settings' },
    ...{ triage: invoiceTriage, base_test: null },
    ...(head !== null && {
      implementation: {
        ...{
          summary: 'The discount is a percentage again.',
          head_commit: head,
          ran: [],
          made_by: ['a model'],
          findings,
        },
        outside_plan: [{ path: 'notes.txt', reason: 'What I measured, for the reviewer.' }],
      },
      tests: testReport,
      review: {
        decision: 'approve',
        summary: 'The change does what the plan says, and nothing else.',
        findings: ['`total` could say in its comment that it is in cents.'],
      },
    }),
  };
}

function testOutput(isGood: boolean): string {
  const tests = ['a line without a discount costs its full price', 'a discount takes its percentage off the line'];
  const lines = tests.map((test, index) => `${isGood || index === 0 ? 'ok' : 'not ok'} ${index + 1} - ${test}`);
  return `\n> test\n> node --test\n\nTAP version 13\n${lines.join('\n')}\n1..24\n# tests 24\n`;
}
