import { eventCatalog } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { choiceAt } from '../models/ask.ts';
import { startVendor, stream } from '../models/vendor-server.ts';
import { anIssue, aPlanFor, memoryContext } from './memory-context.ts';

type Chunk = Record<string, unknown>;

const COUNTED = { prompt_tokens: 100, completion_tokens: 10 };
const NAME = 'compatible/weak';
const PRICES = { [NAME]: { price: { input: 1, output: 2 } } };

function chunk(delta: Record<string, unknown>, finish: string | null = null): Chunk {
  return { id: 'c', created: 1, model: 'weak', choices: [{ index: 0, delta, finish_reason: finish }] };
}

function answer(delta: Record<string, unknown>, { finish = 'stop', usage = COUNTED as Chunk } = {}): Chunk[] {
  return [chunk(delta), chunk({}, finish), { id: 'c', created: 1, model: 'weak', choices: [], usage }];
}

function called(name: string, input: string, other: Record<string, unknown> = {}): Record<string, unknown> {
  return { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name, arguments: input }, ...other }] };
}

const DONE = answer({ content: 'Done.' });

/** A coder whose model server says these answers, chunk by chunk, and `Done.` after them. */
async function codeWith(answers: readonly Chunk[][]) {
  await using vendor = await startVendor((response, _request, count) => {
    stream(response, answers[count - 1] ?? DONE);
    response.end('data: [DONE]\n\n');
  });
  const memory = memoryContext({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
  const { issue, repo } = anIssue();
  const runner = createAgentRunner({
    models: () => [choiceAt(vendor.url, NAME, { table: PRICES })],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const input = { issue, repo, plan: aPlanFor(['a.txt', 'b.txt']), round: 1, feedback: null };
  const { output, usage } = await runner.run('coder', input, memory.context);
  for (const event of memory.events) eventCatalog[event.type].parse(event.data);
  const results = memory.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data.summary] : []));
  return { output, usage, results, requests: vendor.requests.length };
}

describe('a server that counts what cannot be', () => {
  it.each([
    ['less than nothing', { prompt_tokens: -50, completion_tokens: -3 }, [0, 0, null]],
    ['parts of tokens', { prompt_tokens: 5.5, completion_tokens: 1.25 }, [6, 2, 0.00001]],
    ['more than there can be', { prompt_tokens: 1e20, completion_tokens: 1 }, [0, 1, null]],
    ['nothing', { prompt_tokens: null, completion_tokens: null }, [0, 0, null]],
  ])('is not believed: %s', async (_what, counts, [input_tokens, output_tokens, cost_usd]) => {
    const { usage } = await codeWith([answer({ content: 'Done.' }, { usage: counts })]);
    expect(usage).toEqual({ input_tokens, output_tokens, cost_usd });
  });
});

describe('a weak model', () => {
  it.each([
    ['input with a comma too many', called('read_file', '{"path": "a.txt",}'), /Invalid input for tool read_file/],
    ['a tool spelled otherwise', called('Read_File', '{"path": "a.txt"}'), /Available tools: list_files/],
    ['a tool named like a part of every object', called('constructor', '{}'), /Available tools: list_files/],
  ])('learns what is wrong with %s, and continues', async (_what, delta, told) => {
    const { output, results, requests } = await codeWith([answer(delta, { finish: 'tool_calls' })]);
    expect(results).toEqual([expect.stringMatching(told)]);
    expect(output).toMatchObject({ outcome: 'done', summary: 'Done.' });
    expect(requests).toBe(2);
  });

  it.each([
    ['after it said that it stopped', called('read_file', '{"path": "a.txt"}'), 'stop'],
    ['for a reason that nobody knows', called('read_file', '{"path": "a.txt"}'), 'eos_token'],
    ['without an id', called('read_file', '{"path": "a.txt"}', { id: undefined }), 'tool_calls'],
    ['with words', { content: 'I look.', ...called('read_file', '{"path": "a.txt"}') }, 'tool_calls'],
  ])('may call a tool %s', async (_how, delta, finish) => {
    const { results, requests } = await codeWith([answer(delta, { finish })]);
    expect(results).toEqual([expect.stringContaining('1\tA')]);
    expect(requests).toBe(2);
  });

  it('may give the same id to a call of each answer', async () => {
    const turns = ['a.txt', 'b.txt'].map((path) => answer(called('read_file', JSON.stringify({ path }))));
    expect((await codeWith(turns)).results).toEqual([expect.stringContaining('1\tA'), expect.stringContaining('1\tB')]);
  });

  it('is asked again when it only thinks, and its thoughts are no part of what it says', async () => {
    const thoughts = answer({ reasoning_content: 'Hm.' });
    const blocked = answer({ content: '<think>\nMaybe {"a": 1}.\n</think>\n\nBLOCKED: there is no such file.' });
    const { output, requests } = await codeWith([thoughts, blocked]);
    expect(output).toMatchObject({ outcome: 'blocked', summary: 'there is no such file.' });
    expect(requests).toBe(2);
  });
});
