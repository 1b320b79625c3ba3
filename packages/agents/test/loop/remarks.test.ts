import type { AgentInput, AgentRole } from '@sluice/core/agent';
import type { HostedComment } from '@sluice/core/code-host';
import { createFollowUp } from '@sluice/core/follow-up';
import type { Issue, IssueStore, NewIssue } from '@sluice/core/issue';
import { type Plan, planDraftSchema } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { builtinChoice } from '../../src/builtin/builtin-choice.ts';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { anIssue, aPlan, aPlanFor, memoryContext } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import { type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const FILES = { 'src/sum.js': 'let a = 1;\nlet b = 2;\n' };

function aComment(id: string, line: number | null, body: string): HostedComment {
  return {
    ...{ id, body, author: 'ada', byWriter: true, byBot: false, reviewId: 'review-5', reviewState: 'commented' },
    url: `https://host.test/acme/sum/pull/9#${id}`,
    createdAt: new Date('2026-11-20T09:15:00.000Z'),
    place: line === null ? null : { path: 'src/sum.js', line, quote: '+let a = 1;' },
    inReplyTo: null,
  };
}

/** The follow-up of a review of these comments. */
async function followUp(...comments: [HostedComment, ...HostedComment[]]): Promise<Issue> {
  const made: NewIssue[] = [];
  const { issue } = anIssue();
  const create: IssueStore['create'] = async (one) => {
    made.push(one);
    return { kind: 'applied', issue };
  };
  const change = { number: 9, headBranch: 'sluice/7' };
  const ask = { key: 'review-5', comments };
  const context = { issues: { create }, ids: { next: () => issue.id } };
  await createFollowUp(context, { first: issue, change, ask, round: 1, queue: true });
  const { title = '', body = '', followUp: follow_up = null } = made[0] ?? {};
  return { ...issue, title, body, pipeline: { ...issue.pipeline, follow_up } };
}

const review = await followUp(
  aComment('review-5', null, 'Nearly.'),
  aComment('line-1', 1, 'in `src/sum.js` replace `let a` with `const a`'),
  aComment('line-2', 2, 'What is this for?'),
);

async function run<Role extends AgentRole>(role: Role, input: AgentInput[Role], choice: ModelChoice) {
  const memory = memoryContext({ files: FILES });
  const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() }, maxRetries: 0 });
  const { output } = await runner.run(role, input, memory.context);
  const results = memory.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data] : []));
  return { output, refused: results.filter(({ ok }) => !ok).map(({ summary }) => summary) };
}

const coderInput = (issue: Issue, plan: Plan): AgentInput['coder'] => {
  return { issue, repo: anIssue().repo, plan, round: 1, feedback: null };
};
const plannerInput = (issue: Issue): AgentInput['planner'] => {
  const none = { triage: null, lastPlan: null, guidance: null, baseMoved: null };
  return { issue, repo: anIssue().repo, ...none };
};

/** The coder of a script, on the follow-up of the review. */
async function coded(ends: readonly object[], issue = review) {
  const edit = call('e', 'edit_file', { path: 'src/sum.js', old_text: 'let a', new_text: 'const a' });
  const turns: ScriptedTurn[] = [
    { calls: [edit] },
    ...ends.map((end, at) => ({
      calls: [call(`f${at}`, 'finish', { outcome: 'done', summary: 'Changed it.', ...end })],
    })),
  ];
  const prompts: string[] = [];
  const { model } = scriptedModel((answered, prompt) => {
    prompts.push(JSON.stringify(prompt));
    return turns[answered] ?? { text: 'Too far.' };
  });
  const ended = await run('coder', coderInput(issue, aPlanFor(['src/sum.js'])), scriptedChoice(model));
  return { ...ended, prompt: prompts[0] ?? '' };
}

const entry = (id: string, outcome = 'done') => ({ id, outcome, answer: `About ${id}.` });
const all = ['review-5', 'line-1', 'line-2'].map((id) => entry(id));

describe('a coder of remarks', () => {
  it('is asked for an answer to each by its id, and gives them with its end', async () => {
    const { output, refused, prompt } = await coded([{ remarks: [...all, entry('line-9'), entry('line-1')] }]);
    expect(refused).toEqual([]);
    expect(output).toMatchObject({ outcome: 'done', remarks: all });
    expect(prompt).toContain('<remarks>');
    for (const { id } of all) expect(prompt).toContain(JSON.stringify(`{"id":"${id}"`).slice(1, -1));
  });

  it('is asked once for what it left out', async () => {
    const { output, refused } = await coded([{ remarks: [entry('line-1')] }, { remarks: all }]);
    expect(refused).toEqual([expect.stringContaining('Some remarks have no answer: review-5, line-2.')]);
    expect(output.remarks).toEqual(all);
  });

  it('is taken without it when it leaves it out again', async () => {
    const { output, refused } = await coded([{}, { remarks: [entry('line-2', 'question')] }]);
    expect(refused).toHaveLength(1);
    expect(output.remarks).toEqual([entry('line-2', 'question')]);
  });

  it('is not asked for any when it is blocked', async () => {
    const { output, refused } = await coded([{ outcome: 'blocked' }]);
    expect([output.outcome, refused]).toEqual(['blocked', []]);
  });

  it('is the usual one where there are none', async () => {
    const { output, prompt } = await coded([{ remarks: all }], anIssue().issue);
    expect(output).not.toHaveProperty('remarks');
    expect(prompt).not.toContain('remarks');
  });
});

describe('a planner of remarks', () => {
  const planned = async (ends: readonly object[]) => {
    const plan = { summary: 'Nothing.', steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };
    const turns = ends.map((end, at) => ({ calls: [call(`s${at}`, 'submit_plan', { ...plan, ...end })] }));
    const { model } = scriptedModel((answered) => turns[answered] ?? { text: 'Too far.' });
    return await run('planner', plannerInput(review), scriptedChoice(model));
  };

  it('answers each where nothing is to be changed', async () => {
    const { output, refused } = await planned([{}, { remarks: all }]);
    expect(refused).toEqual([expect.stringContaining('Some remarks have no answer')]);
    expect(output.remarks).toEqual(all);
  });

  it('leaves that to the coder where something is', async () => {
    const steps = [{ title: 'Fix', detail: 'Write const.', files: ['src/sum.js'] }];
    const { output, refused } = await planned([{ steps }]);
    expect([output.remarks, refused]).toEqual([[], []]);
  });
});

describe('the built-in model', () => {
  const planOf = async (issue: Issue) => {
    const { output } = await run('planner', plannerInput(issue), builtinChoice());
    return aPlan(planDraftSchema.parse(output));
  };

  it('says of each remark whether it carried out what it spells out', async () => {
    const { output } = await run('coder', coderInput(review, await planOf(review)), builtinChoice());
    const declined = { outcome: 'declined', answer: expect.stringContaining('No model is configured') };
    expect(output.remarks).toEqual([
      { id: 'review-5', ...declined },
      { id: 'line-1', outcome: 'done', answer: expect.stringContaining('src/sum.js') },
      { id: 'line-2', ...declined },
    ]);
  });

  it('knows a single comment by the whole text', async () => {
    const issue = await followUp(aComment('line-1', 1, 'in `src/sum.js` replace `let a` with `const a`'));
    const { output } = await run('coder', coderInput(issue, await planOf(issue)), builtinChoice());
    expect(output.remarks).toMatchObject([{ id: 'line-1', outcome: 'done' }]);
  });
});
