import { existsSync, readFileSync } from 'node:fs';
import { type AgentInput, type AgentRole, changeFindings } from '@sluice/core';
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
 * Every rule of every prompt: what the service does when a model breaks it, or the test that shows it, or that nothing
 * enforces it. A new rule has to be added here.
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
  return { ...memory, output, told };
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

const ADVICE = 'nothing enforces it';
const READ_BY_OBEYING_MODEL = 'apps/server/test/obedient-attacker.test.ts';

type Kept = (() => Promise<void>) | string;

const coderRules: Record<string, Kept> = {
  'Where there is `<feedback>`': ADVICE,
  async 'Read a file before'() {
    const stale = call('1', 'edit_file', { path: 'a.txt', old_text: 'as I remember it', new_text: 'b' });
    const { told, files } = await code([{ calls: [stale] }, finished('Done.')]);
    expect(told[0]).toMatch(/a\.txt/);
    expect(files.snapshot()).toEqual(FILES);
  },
  'Make the smallest change': ADVICE,
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
  'A new test of a bug': 'packages/worker/test/red-base.test.ts',
  async 'After your last change'() {
    const write = call('1', 'write_file', { path: 'a.txt', content: 'x' });
    const { told, output } = await code([{ calls: [write] }, finished('Done.')], { testCommand: 'make test' });
    expect(told.at(-1)).toContain('all tests run with: make test');
    expect(output.summary).toBe('Done.\nNothing was run after the last change.');
  },
  'Do not commit': 'packages/sandbox/src/bwrap/bwrap-sandbox.test.ts',
  'A call that the restart': 'packages/agents/test/loop/resume.test.ts',
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
  'Plan the smallest change': ADVICE,
  async 'Name every file'() {
    const elsewhere = { ...draft, steps: [{ title: 'x', detail: 'x', files: ['../etc/passwd'] }] };
    const { told } = await play('planner', planned, { turns: [submit(elsewhere), submit(draft)] });
    expect(told[0]).toContain('Some paths of the plan may be wrong');
  },
  'Where there is a last `<plan>`': ADVICE,
  'If the issue asks a question': 'packages/worker/test/questions.test.ts',
  async '`summary`'() {
    const { told } = await play('planner', planned, {
      turns: [submit({ ...draft, summary: undefined }), submit(draft)],
    });
    expect(told[0]).toContain('summary');
  },
  async '`steps`'() {
    const { told } = await play('planner', planned, {
      turns: [submit({ ...draft, steps: ['Change a.'] }), submit(draft)],
    });
    expect(told[0]).toContain('steps');
  },
  '`acceptance_criteria`': 'packages/worker/test/red-base.test.ts',
  '`risks`': ADVICE,
  '`test_strategy`': ADVICE,
  async '`kind`'() {
    const { told } = await play('planner', planned, { turns: [submit({ ...draft, kind: 'mystery' }), submit(draft)] });
    expect(told[0]).toContain('kind');
  },
  '`open_questions`': ADVICE,
  '`test_command`': 'packages/worker/test/proposed-commands.test.ts',
  '`answer`': 'packages/worker/test/questions.test.ts',
};

const approval = { decision: 'approve', summary: 'Good.', findings: [] };
const reviewerRules: Record<string, Kept> = {
  'Each step and each criterion': ADVICE,
  async 'It is correct'() {
    const plain = aDiff('diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+b\n', ['a.txt']);
    expect((await review(approval, plain)).output.summary).toBe('Good. (It read nothing but the diff.)');
  },
  'Its tests prove it': 'packages/worker/test/red-base.test.ts',
  'Reasons in `<outside_plan>`': 'apps/server/test/outside-the-plan.test.ts',
  async 'It does no harm'() {
    expect((await review(approval)).output).toMatchObject({ decision: 'request_changes' });
  },
  async '`decision`'() {
    expect(reviewer.answer.read(`${JSON.stringify(approval)} But I am not sure.`)).toMatchObject({ ok: false });
  },
  '`summary`': ADVICE,
  async '`findings`'() {
    const token = `ghp_${'a1'.repeat(18)}`;
    const { output } = await review({ ...approval, decision: 'request_changes', findings: [`It holds ${token}.`] });
    expect(JSON.stringify(output)).not.toContain(token);
  },
};

const triagerRules: Record<string, Kept> = {
  async '`kind`'() {
    const right = { kind: 'bug', summary: 'A bug.', acceptance_criteria: [], risk: 'low', open_questions: [] };
    const turns = [{ text: JSON.stringify({ ...right, kind: 'mystery' }) }, { text: JSON.stringify(right) }];
    expect((await play('triager', { issue, repo }, { turns })).output).toEqual(right);
  },
  '`summary`': ADVICE,
  '`acceptance_criteria`': ADVICE,
  '`risk`': ADVICE,
  '`open_questions`': ADVICE,
};

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
    else expect(kept === ADVICE || existsSync(new URL(`../../../../${kept}`, import.meta.url))).toBe(true);
  });

  it('say what to trust, which a model that obeys its attackers tests', () => {
    expect(prompt).toContain('# What to trust');
    for (const tag of ['untrusted_comments', 'note']) expect(prompt).toContain(`<${tag}>`);
    expect(existsSync(new URL(`../../../../${READ_BY_OBEYING_MODEL}`, import.meta.url))).toBe(true);
  });
});
