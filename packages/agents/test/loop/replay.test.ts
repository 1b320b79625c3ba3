import type { JournalEntry, Note } from '@sluice/core/agent';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { choiceAt } from '../models/ask.ts';
import { startVendor, stream } from '../models/vendor-server.ts';
import { anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';

/*
 * A run of thirty turns in two rounds, on the wire: reads, writes, commands, a loop that it is told of, notes, steps within a
 * small window, an end in words, the advice to come to an end. Whatever process goes on from its journal sends the same bytes.
 */

const NAME = 'compatible/replayed';
const TURNS = 30;
const MAX_TURNS = 27; // the advice to come to an end is due in the second round
const FIRST_ROUND = 7;

type Call = readonly [tool: string, input: object];
type Files = Readonly<Record<string, string>>;

const long = (name: string) => `${name}\n${'some words of it\n'.repeat(120)}`;
const FILES: Files = Object.fromEntries(
  Array.from({ length: TURNS }, (_, index) => [`f${index}.txt`, long(`${index}`)]),
);
const plan = aPlanFor(['new.txt', ...Object.keys(FILES)]);
const FINISH: Call = ['finish', { outcome: 'done', summary: 'Done.', ran: [] }];

/** The calls of a turn, or words. */
function turnOf(turn: number): readonly Call[] | string {
  if (turn === FIRST_ROUND) return [FINISH];
  if (turn === 12) return 'I will now go on.';
  if (turn >= 14 && turn < 18) return [['read_file', { path: 'f14.txt' }]];
  if (turn >= TURNS) return [FINISH];
  if (turn % 4 === 1) return [['write_file', { path: 'new.txt', content: long(`written in turn ${turn}`) }]];
  if (turn % 4 === 2) return [['run_command', { command: `make ${turn}` }]];
  const read: Call = ['read_file', { path: `f${turn}.txt` }];
  const edit: Call = ['edit_file', { path: `f${turn}.txt`, old_text: `${turn}\n`, new_text: `changed ${turn}\n` }];
  return turn % 4 === 3 ? [read, edit] : [read];
}

function notes(answers: number): Note[] {
  return [9, 21].flatMap((at) =>
    answers >= at ? [{ seq: at, text: `Mind the zero, says a person in turn ${at}.` }] : [],
  );
}

/** Runs the coder from a journal, and tells what it sent and what is left. */
async function run(options: MemoryOptions & { readonly feedback?: string }) {
  const states: { readonly journal: readonly JournalEntry[]; readonly files: Files }[] = [];
  await using vendor = await startVendor((response, { body }) => {
    const messages = body.messages as { role: string }[];
    const turn = turnOf(messages.filter(({ role }) => role === 'assistant').length);
    const calls = typeof turn === 'string' ? [] : turn;
    const tool_calls = calls.map(([name, input], index) => {
      return { index, id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    });
    const delta = typeof turn === 'string' ? { content: turn } : { tool_calls };
    const usage = { prompt_tokens: Math.round(JSON.stringify(body).length / 4), completion_tokens: 20 };
    const head = { id: 'c', created: 1, model: 'm' };
    stream(response, [
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }] },
      { ...head, choices: [], usage },
    ]);
    response.end('data: [DONE]\n\n');
  });
  const memory = memoryContext({
    notes,
    command: async (command) => `${command} was run`,
    onAppended: ({ entries }) => {
      const isAnswer = entries.some(({ kind }) => kind === 'usage');
      if (isAnswer) states.push({ journal: structuredClone(memory.journal), files: memory.files.snapshot() });
    },
    ...options,
  });
  const table = { [NAME]: { price: { input: 1, output: 2 }, context_tokens: 14_000 } };
  const choice = { ...choiceAt(vendor.url, NAME, { table }), maxTurns: MAX_TURNS };
  const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() }, maxRetries: 0 });
  const { issue, repo } = anIssue();
  const input = {
    issue,
    repo,
    plan,
    round: options.feedback === undefined ? 1 : 2,
    feedback: options.feedback ?? null,
  };
  const result = await runner.run('coder', { ...input, environment: null }, memory.context);
  return {
    result,
    states,
    journal: memory.journal,
    files: memory.files.snapshot(),
    bodies: vendor.requests.map(({ body }) => JSON.stringify(body)),
  };
}

it('sends the same bytes and makes the same patch, at whichever turn of thirty the process is killed', async () => {
  const first = await run({ files: FILES });
  const second = { feedback: 'The tests fail.', earlier: [first.journal] };
  const whole = await run({ ...second, files: first.files });
  const kinds = new Set(whole.journal.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['note', 'told', 'trim', 'checkpoint']));
  expect(first.bodies.length + whole.bodies.length).toBeGreaterThanOrEqual(TURNS);
  expect(whole.bodies[0]?.startsWith(first.bodies.at(-1)?.slice(0, 5_000) ?? '')).toBe(true);
  for (const [turn, { journal, files }] of whole.states.entries()) {
    if (!isSoakRun && turn % 4 !== 0) continue;
    const next = await run({ ...second, journal, files });
    expect(next.bodies.length).toBe(whole.bodies.length - turn - 1);
    for (const [index, body] of next.bodies.entries())
      expect(body === whole.bodies[turn + 1 + index], `${turn}`).toBe(true);
    expect(next.files).toEqual(whole.files);
    expect(next.result).toEqual(whole.result);
  }
  const again = await run({ ...second, journal: whole.journal, files: whole.files });
  expect(again.bodies).toEqual([]);
  expect(again.result).toEqual(whole.result);
});
