import { readFileSync } from 'node:fs';
import type { AgentInput, AgentRole } from '@sluice/core/agent';
import type { PlannerOutput, Triage } from '@sluice/core/pipeline';
import { changeFindings } from '@sluice/test-integrity';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { coder } from '../../src/roles/coder.ts';
import { planner } from '../../src/roles/planner.ts';
import { reviewer } from '../../src/roles/reviewer.ts';
import { triager } from '../../src/roles/triager.ts';
import { aDiff, anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

/*
 * Every rule of every prompt, and what the service does when a model breaks it: shown here, or by the test that is named. A
 * new rule has to be added here.
 */

const { issue, repo } = anIssue();
const plan = aPlanFor(['a.txt']);
const FILES = { 'a.txt': 'a', 'b.txt': 'b' };

async function play<Role extends AgentRole>(
  role: Role,
  input: AgentInput[Role],
  { turns, ...options }: MemoryOptions & { readonly turns: readonly ScriptedTurn[] },
) {
  const memory = memoryContext({ files: FILES, ...options });
  const { model } = scriptedModel((answered) => turns[answered] ?? turns.at(-1) ?? {});
  const runner = createAgentRunner({
    models: () => [scriptedChoice(model)],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const { output } = await runner.run(role, input, memory.context);
  const told = memory.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data.summary] : []));
  const said = memory.journal.flatMap((entry) => (entry.kind === 'message' ? [JSON.stringify(entry.message)] : []));
  return { ...memory, output, told, said };
}

const code = (turns: readonly ScriptedTurn[], other: Partial<AgentInput['coder']> & MemoryOptions = {}) =>
  play('coder', { issue, repo, plan, round: 1, feedback: null, ...other }, { turns, ...other });
const planned = { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null };
const draft = {
  summary: 'Change a.',
  steps: [{ title: 'Change', detail: 'It.', files: ['a.txt'] }],
  acceptance_criteria: [],
  risks: [],
  test_strategy: '',
};
const submit = (input: object): ScriptedTurn => ({ calls: [call('end', 'submit_plan', input)] });
const changed = aDiff('diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+<<<<<<< ours\n', [
  'a.txt',
]);
const review = (answer: object, diff = changed) =>
  play(
    'reviewer',
    { issue, plan, diff, tests: null, outsidePlan: [], findings: [] },
    { turns: [{ calls: [call('end', 'submit_review', answer)] }] },
  );

/** A test elsewhere, by its file and its title. */
interface ShownBy {
  readonly file: string;
  readonly title: string;
}
type Kept = (() => Promise<void>) | ShownBy;

const IN_TESTS = 'packages/worker/test/red-base.test.ts';
const OF_OBEYING_MODEL = 'apps/server/test/soak/obedient-attacker.test.ts';

/** A plan without this member, or with a wrong one, is refused with its name. */
const refusedPlan = (member: keyof PlannerOutput, value?: unknown) => async () => {
  const wrong = { ...draft, [member]: value };
  const { told } = await play('planner', planned, { turns: [submit(wrong), submit(draft)] });
  expect(told[0]).toContain(member);
};
/** A plan is not lost to a member that it could do without. */
const leftOutOfPlan = (member: keyof PlannerOutput, value: unknown) => async () => {
  const { output, told } = await play('planner', planned, { turns: [submit({ ...draft, [member]: value })] });
  expect([told, output[member]]).toEqual([[], undefined]);
};
const triaged = { kind: 'bug', summary: 'A bug.', acceptance_criteria: [], risk: 'low', open_questions: [] };
/** A triage without this member, or with a wrong one, is asked for once more. */
const askedAgain = (member: keyof Triage, value?: unknown) => async () => {
  const turns = [{ text: JSON.stringify({ ...triaged, [member]: value }) }, { text: JSON.stringify(triaged) }];
  const { output, said } = await play('triager', { issue, repo }, { turns });
  expect(output).toEqual(triaged);
  expect(said.at(-2)).toMatch(new RegExp(`Your answer cannot be used\\..*${member}`));
};

const coderRules: Record<string, Kept> = {
  async 'Read a file before'() {
    const stale = call('1', 'edit_file', { path: 'a.txt', old_text: 'as I remember it', new_text: 'b' });
    const { told, files } = await code([{ calls: [stale] }, finished('Done.')]);
    expect(told[0]).toMatch(/a\.txt/);
    expect(files.snapshot()).toEqual(FILES);
  },
  async 'Make the smallest change'() {
    const left = { path: 'src/sum.js.orig', before: null, after: 'x' };
    expect(changeFindings({ files: [left], planned: ['src/sum.js'] })).toMatchObject([{ kind: 'scratch_file' }]);
  },
  async 'Write only the files'() {
    const write = call('1', 'write_file', { path: 'b.txt', content: 'x' });
    const { told } = await code([{ calls: [write] }, finished('Done.')]);
    expect(told[0]).toContain('b.txt is not in the approved plan');
  },
  async 'Do not weaken'() {
    const before = "test('sums', () => {\n  assert.equal(sum(1, 2), 3);\n});\n";
    const after = "test.skip('sums', () => {\n  assert.equal(sum(1, 2), 3);\n});\n";
    expect(changeFindings({ files: [{ path: 'sum.test.js', before, after }], planned: [] })).not.toEqual([]);
  },
  'A new test of a bug': {
    file: IN_TESTS,
    title: 'of a bug that pass without the fix are sent back once, and the coder’s reason is shown',
  },
  async 'After your last change'() {
    const write = call('1', 'write_file', { path: 'a.txt', content: 'x' });
    const { told, output } = await code([{ calls: [write] }, finished('Done.')], { testCommand: 'make test' });
    expect(told.at(-1)).toContain('all tests run with: make test');
    expect(output.summary).toBe('Done.\nNothing was run after the last change.');
  },
  'Do not commit': {
    file: 'packages/sandbox/src/bwrap/bwrap-sandbox.test.ts',
    title: 'mounts .git and the git directory read-only',
  },
  async 'Call `finish`'() {
    const words = await code([{ text: 'BLOCKED: there is no such file.' }]);
    expect(words.output).toMatchObject({ outcome: 'blocked' });
    const both = { calls: [call('1', 'list_files', {}), ...(finished('Done.').calls ?? [])] };
    expect((await code([both, finished('Done.')])).told.at(-1)).toContain('together with other calls');
  },
  async 'Claim nothing'() {
    const ran = [{ command: 'npm test', result: 'passes' }];
    const end = { calls: [call('end', 'finish', { outcome: 'done', summary: 'Done.', ran })] };
    expect((await code([end])).output.summary).toBe('Done.\nClaimed, but not run: npm test.');
  },
};

const plannerRules: Record<string, Kept> = {
  async 'Look before you plan'() {
    const { output } = await play('planner', planned, { turns: [submit(draft)] });
    expect(output.risks).toEqual([expect.stringContaining('read nothing')]);
  },
  'Plan the smallest change': {
    file: OF_OBEYING_MODEL,
    title: 'decides nothing: each decision is the approver’s, and no code is written before it',
  },
  async 'Name every file'() {
    const elsewhere = { ...draft, steps: [{ title: 'x', detail: 'x', files: ['../etc/passwd'] }] };
    const { told } = await play('planner', planned, { turns: [submit(elsewhere), submit(draft)] });
    expect(told[0]).toContain('Some paths of the plan may be wrong');
  },
  async 'If the issue asks a question'() {
    const coded = { ...draft, kind: 'question' };
    const { told } = await play('planner', planned, { turns: [submit(coded), submit({ ...coded, kind: 'bug' })] });
    expect(told[0]).toContain('A question is answered, not coded');
  },
  '`summary`': refusedPlan('summary'),
  '`steps`': refusedPlan('steps', ['Change a.']),
  '`acceptance_criteria`': { file: IN_TESTS, title: 'must pass where the plan names it' },
  '`risks`': refusedPlan('risks', 7),
  '`test_strategy`': {
    file: IN_TESTS,
    title: 'of a bug that are missing are missed, which is shown',
  },
  '`kind`': leftOutOfPlan('kind', 'mystery'),
  '`open_questions`': leftOutOfPlan('open_questions', 7),
  '`test_command`': {
    file: 'packages/worker/test/proposed-commands.test.ts',
    title: 'is left out when %s',
  },
  '`answer`': leftOutOfPlan('answer', 7),
};

const approval = { decision: 'approve', summary: 'Good.', findings: [] };
const reviewerRules: Record<string, Kept> = {
  async 'Each step and each criterion'() {
    const more = {
      issue,
      plan: aPlanFor(['a.txt', 'b.txt']),
      diff: changed,
      tests: null,
      outsidePlan: [],
      findings: [],
    };
    const { said } = await play('reviewer', more, { turns: [{ calls: [call('end', 'submit_review', approval)] }] });
    expect(said[1]).toContain('b.txt is in the plan, but it is not changed.');
  },
  async 'It is correct'() {
    const plain = aDiff('diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+b\n', ['a.txt']);
    expect((await review(approval, plain)).output.summary).toBe('Good. (It read nothing but the diff.)');
  },
  'Its tests prove it': { file: IN_TESTS, title: 'must pass where a review names it' },
  'Reasons in `<outside_plan>`': {
    file: 'apps/server/test/outside-the-plan.test.ts',
    title: 'lets the coder leave the plan only with a reason, which the reviewer and the person see',
  },
  async 'It does no harm'() {
    expect((await review(approval)).output).toMatchObject({ decision: 'request_changes' });
  },
  async '`decision`'() {
    expect(reviewer.answer.read(`${JSON.stringify(approval)} But I am not sure.`)).toMatchObject({ ok: false });
  },
  async '`summary`'() {
    const turns = [{ ...approval, summary: undefined }, approval].map((answer) => ({
      calls: [call('end', 'submit_review', answer)],
    }));
    const input = { issue, plan, diff: changed, tests: null, outsidePlan: [], findings: [] };
    expect((await play('reviewer', input, { turns })).told[0]).toContain('summary');
  },
  async '`findings`'() {
    const token = `ghp_${'a1'.repeat(18)}`;
    const { output } = await review({ ...approval, decision: 'request_changes', findings: [`It holds ${token}.`] });
    expect(JSON.stringify(output)).not.toContain(token);
  },
};

const triagerRules: Record<string, Kept> = {
  '`kind`': askedAgain('kind', 'mystery'),
  '`summary`': askedAgain('summary'),
  '`acceptance_criteria`': askedAgain('acceptance_criteria', 7),
  '`risk`': askedAgain('risk', 'enormous'),
  '`open_questions`': askedAgain('open_questions', 7),
};

/** Whether the repository has this test. */
function isThere({ file, title }: ShownBy): boolean {
  return readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8').includes(`'${title}'`);
}

describe.each([
  ['coder', coder, coderRules],
  ['planner', planner, plannerRules],
  ['reviewer', reviewer, reviewerRules],
  ['triager', triager, triagerRules],
] as const)('the rules of the %s', (_role, { promptFile }, rules: Record<string, Kept>) => {
  const prompt = readFileSync(promptFile, 'utf8');

  it('are all known here', () => {
    const bullets = prompt.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
    expect(bullets.filter((bullet) => !Object.keys(rules).some((rule) => bullet.startsWith(rule)))).toEqual([]);
    expect(Object.keys(rules).filter((rule) => !bullets.some((bullet) => bullet.startsWith(rule)))).toEqual([]);
  });

  it.each(Object.entries(rules))('hold against a model that breaks one: %s', async (_rule, kept) => {
    if (typeof kept === 'function') await kept();
    else expect(isThere(kept), kept.file).toBe(true);
  });

  it('say what to trust, which a model that obeys its attackers tests', () => {
    expect(prompt).toContain('# What to trust');
    for (const tag of ['untrusted_comments', 'note']) expect(prompt).toContain(`<${tag}>`);
    expect(isThere({ file: OF_OBEYING_MODEL, title: 'carries out every payload' })).toBe(true);
  });
});
