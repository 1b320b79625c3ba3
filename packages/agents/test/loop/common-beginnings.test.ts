import type { AgentInput, AgentRole } from '@sluice/core/agent';
import { expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { coder } from '../../src/roles/coder.ts';
import { planner } from '../../src/roles/planner.ts';
import { reviewer } from '../../src/roles/reviewer.ts';
import { offeredTools } from '../../src/roles/role-definition.ts';
import { choiceAt } from '../models/ask.ts';
import { startVendor } from '../models/vendor-server.ts';
import { wireFormats } from '../models/wire-formats.ts';
import { aDiff, anIssue, aPlanFor, memoryContext } from './memory-context.ts';

/*
 * Vendors cache a request from its beginning: tools, instructions, messages. So what all issues share stands first, and
 * what each request carries is short. What it comes to in whole runs is measured by `npm run bench:economy`.
 */

const plan = aPlanFor(['a.txt']);
const inputs = (title: string): { readonly [Role in 'planner' | 'coder' | 'reviewer']: AgentInput[Role] } => {
  const { issue, repo } = anIssue({ title });
  return {
    planner: { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null },
    coder: { issue, repo, plan, round: 1, feedback: null },
    reviewer: { issue, plan, diff: aDiff('', ['a.txt']), tests: null, outsidePlan: [], findings: [] },
  };
};
const draft = { summary: 'x', steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };
const words = {
  planner: JSON.stringify(draft),
  coder: 'BLOCKED: there is nothing to do.',
  reviewer: JSON.stringify({ decision: 'request_changes', summary: 'x', findings: ['x'] }),
};

/** The first request of a role about an issue, as Anthropic gets it. */
async function firstRequest(role: 'planner' | 'coder' | 'reviewer', title: string) {
  const format = wireFormats.find(({ provider }) => provider === 'anthropic');
  await using vendor = await startVendor((response) => format?.whole(response, words[role]));
  const choice = choiceAt(vendor.url, 'anthropic/claude-sonnet-4-5');
  const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() }, maxRetries: 0 });
  const { context } = memoryContext({ files: { 'a.txt': 'a' } });
  await runner.run(role as AgentRole, inputs(title)[role], context);
  const { tools, system, messages } = vendor.requests[0]?.body ?? {};
  return { tools, system, messages };
}

it.each([
  ['planner', 5_300],
  ['coder', 7_000],
  ['reviewer', 4_600],
] as const)(
  'begins what the %s is sent with the same bytes for every issue, and with at most %i of them',
  async (role, most) => {
    const [one, other] = [await firstRequest(role, 'The sum is wrong'), await firstRequest(role, 'Rename the class')];
    expect(JSON.stringify(one.messages)).not.toBe(JSON.stringify(other.messages));
    const shared = JSON.stringify([one.tools, one.system]);
    expect(JSON.stringify([other.tools, other.system])).toBe(shared);
    expect(shared.length).toBeLessThan(most);
    // Anthropic caches what stands before a mark: the one behind the instructions is the last that issues share.
    expect(one.system).toEqual([expect.objectContaining({ cache_control: { type: 'ephemeral' } })]);
  },
);

it('offers planner, coder and reviewer the same tools first, in the same order', () => {
  const common = planner.tools;
  for (const role of [coder, reviewer]) expect(offeredTools(role).slice(0, common.length)).toEqual(common);
});
