import type { JournalEntry } from '@sluice/core/agent';
import { expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { choiceAt } from '../models/ask.ts';
import { answersIn, type ChatAnswer, startStrict, stored } from '../models/strict-chat.ts';
import { lenient, strictRules } from '../models/strict-rules.ts';
import { anIssue, aPlanFor, memoryContext } from './memory-context.ts';

const FILES = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `line of ${at}\n`]));
const FINISH = ['finish', { outcome: 'done', summary: 'Done.', ran: [] }] as const;

/** The members of a server's answers in a turn. */
type Thoughts = (turn: number) => Pick<ChatAnswer, 'deltas'> & { readonly members?: Record<string, unknown> };

const inField =
  (name: string): Thoughts =>
  (turn) => ({ deltas: turn % 3 === 2 ? [{ [name]: '' }] : [{ [name]: `I think ` }, { [name]: `of ${turn}.` }] });

const keptIn = (name: string) => (turn: number) => `"${name}":"I think of ${turn}."`;

function answerAt(thoughts: Thoughts, turn: number): ChatAnswer {
  const { deltas = [], members = {} } = thoughts(turn);
  const tool = turn === 5 ? FINISH : turn === 3 ? (['write_file', { path: 'f3.txt', content: 'x\n' }] as const) : null;
  return { deltas, calls: [{ id: `call_${turn}`, path: `f${turn}.txt`, members, ...(tool !== null && { tool }) }] };
}

it.each([
  ['deepseek', strictRules.deepseek, 'deepseek-v4-pro', inField('reasoning_content'), keptIn('reasoning_content')],
  ['vllm', lenient, 'glm-5', inField('reasoning'), keptIn('reasoning')],
  [
    'openrouter',
    lenient,
    'anthropic/claude-opus-5',
    (turn: number) => ({
      deltas: [
        { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', zebra: 1, a: turn, index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: `s${turn}`, index: 0 }] },
      ],
    }),
    (turn: number) => `{"type":"reasoning.text","text":"Hm.","zebra":1,"a":${turn},"index":0,"signature":"s${turn}"}`,
  ],
  [
    'gemini',
    strictRules.gemini,
    'gemini-3.1-pro-preview',
    (turn: number) => ({ members: { extra_content: { vertex: { thought_signature: `s${turn}` } } } }),
    (turn: number) => `"extra_content":{"vertex":{"thought_signature":"s${turn}"}}`,
  ],
  [
    'mistral',
    lenient,
    'magistral',
    (turn: number) => ({
      deltas: [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: `${turn}` }] }] }],
    }),
    (turn: number) => `"content":[{"type":"thinking","thinking":[{"type":"text","text":"${turn}"}]}]`,
  ],
] as const)(
  'goes on at %s with the same bytes, thoughts and signatures among them',
  async (...[, rule, model, thoughts, kept]) => {
    const name = `compatible/${model}`;
    await using vendor = await startStrict(rule, (turn) => answerAt(thoughts, turn));
    const table = { [name]: { price: { input: 1, output: 2 }, context_tokens: 100_000 } };
    const choice = choiceAt(vendor.url, name, { table });
    const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() }, maxRetries: 0 });
    const { issue, repo } = anIssue();
    const states: { readonly journal: JournalEntry[]; readonly files: Record<string, string> }[] = [];

    /** The bodies that are sent from a state of the journal to the end. */
    async function run(from: (typeof states)[number] | null): Promise<string[]> {
      const before = vendor.requests.length;
      const memory = memoryContext({
        files: from?.files ?? FILES,
        journal: from?.journal ?? [],
        onAppended() {
          if (from === null) states.push({ journal: stored([...memory.journal]), files: memory.files.snapshot() });
        },
      });
      const input = { issue, repo, plan: aPlanFor(Object.keys(FILES)), round: 1, feedback: null };
      const { output } = await runner.run('coder', input, memory.context);
      expect(output).toMatchObject({ outcome: 'done' });
      return vendor.requests.slice(before).map(({ body }) => JSON.stringify(body));
    }

    const whole = await run(null);
    expect(whole).toHaveLength(6);
    for (const state of states.filter((_, at) => at % 3 === 1)) {
      const sent = await run(state);
      expect(sent).toEqual(whole.slice(whole.length - sent.length));
    }
    const last = answersIn(vendor.requests.at(-1)?.body ?? {});
    for (const turn of [0, 1, 3, 4]) expect(JSON.stringify(last[turn])).toContain(kept(turn));
  },
);
