import { eventCatalog } from '@sluice/core/issue';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { choiceAt } from '../models/ask.ts';
import { startVendor, stream } from '../models/vendor-server.ts';
import { anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';

type Chunk = Record<string, unknown>;

const COUNTED = { prompt_tokens: 100, completion_tokens: 10 };
const NAME = 'compatible/weak';
const PRICES = { [NAME]: { price: { input: 1, output: 2 }, context_tokens: 32_768 } }; // set, so that the server is not asked

function chunk(delta: Record<string, unknown>, finish: string | null = null): Chunk {
  return { id: 'c', created: 1, model: 'weak', choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** An answer of a compatible server, with one delta. */
export function answer(delta: Record<string, unknown>, { finish = 'stop', usage = COUNTED as Chunk } = {}): Chunk[] {
  return [chunk(delta), chunk({}, finish), { id: 'c', created: 1, model: 'weak', choices: [], usage }];
}

/** The delta of a call. */
export function called(name: string, input: string, other: Record<string, unknown> = {}): Record<string, unknown> {
  return { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name, arguments: input }, ...other }] };
}

/** The delta of a coder's end. */
export const FINISH = called('finish', '{"outcome": "done", "summary": "Done."}');
const DONE = answer(FINISH, { finish: 'tool_calls' });

/** A coder whose model server says these answers, chunk by chunk, and finishes after them. */
export async function codeWith(answers: readonly Chunk[][], options: MemoryOptions = {}) {
  await using vendor = await startVendor((response, _request, count) => {
    stream(response, answers[count - 1] ?? DONE);
    response.end('data: [DONE]\n\n');
  });
  const memory = memoryContext({ files: { 'a.txt': 'A', 'b.txt': 'B' }, ...options });
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
  return { output, usage, results, requests: vendor.requests.length, ...memory };
}
