import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAgentRunner } from '../loop/create-agent-runner.ts';
import { type PromptedRole, promptRevision } from './prompt-revision.ts';

const tool = { name: 'read_file', description: 'Reads a file.', input: z.object({ path: z.string() }) };
const other = { name: 'list_files', description: 'Lists files.', input: z.object({}) };
const coder: PromptedRole = { role: 'coder', instructions: 'Write.', tools: [tool, other], answer: { tool: null } };
const planner: PromptedRole = { ...coder, role: 'planner', instructions: 'Plan.' };
const before = promptRevision([coder, planner]);

describe('the revision of the prompts', () => {
  it('is the same for the same words in any order', () => {
    expect(before).toMatch(/^[0-9a-f]{12}$/);
    expect(promptRevision([planner, { ...coder, tools: [other, tool] }])).toBe(before);
  });

  it.each<[string, Partial<PromptedRole>]>([
    ['an instruction', { instructions: 'Write well.' }],
    ['a tool', { tools: [tool] }],
    ['the description of a tool', { tools: [{ ...tool, description: 'Reads.' }, other] }],
    ['the input of a tool', { tools: [{ ...tool, input: z.object({ file: z.string() }) }, other] }],
    ['the way to answer', { answer: { tool: { ...tool, name: 'done', canonical: (input) => input } } }],
  ])('is another one with another word in %s', (_, change) => {
    expect(promptRevision([{ ...coder, ...change }, planner])).not.toBe(before);
  });

  it('does not depend on the models', () => {
    const options = { models: () => [], clock: { now: () => new Date() } };
    const runner = createAgentRunner(options);
    expect(runner.promptRevision()).toMatch(/^[0-9a-f]{12}$/);
    expect(createAgentRunner({ ...options, plannerTriages: true }).promptRevision()).toBe(runner.promptRevision());
  });
});
