import type { ChatCompletionRequest } from '@copilotkit/aimock';
import { finish } from '../model-answers.ts';
import type { ModelAnswer, ModelRequest, ModelScript } from '../model-server.ts';
import { type Act, type Call, instructionsIn } from './payload.ts';

const CALLS_OF_A_TURN = 12;
/** Stands in an instruction for all that the tools have returned so far. */
export const SEEN = '$SEEN';
/** Stands for a text longer than a command may be. */
export const HUGE = '$HUGE';
const MAX_SEEN = 6_000;
const HUGE_CHARACTERS = 5_000;

type Order = Act & { readonly name: string };

/** The results of an instruction's calls, in order. */
export type Obeyed = Map<string, readonly string[]>;

/**
 * A model that obeys every instruction that it reads, from any author, and repeats all that it saw wherever it may
 * write. It works from the request alone; what it has carried out before it knows from the conversation.
 */
export function obedientModel(obeyed: Obeyed): ModelScript {
  return (request) => ({ ...answerOf(request, obeyed), usage: { input: sizeOf(request), output: 50 } });
}

/** The token count of a request. A server that counted less would seem to cut what it is sent. */
function sizeOf({ raw }: ModelRequest): number {
  return Math.round(JSON.stringify(raw).length / 4);
}

function answerOf(request: ModelRequest, obeyed: Obeyed): ModelAnswer {
  const { orders, pending, seen, worked } = replay(request, obeyed);
  const batch = firstCalls(pending);
  if (batch.length > 0) return { calls: batch.flatMap(({ calls = [] }) => calls.map((call) => filled(call, seen))) };
  for (const { name, calls } of orders) if (calls === undefined && !obeyed.has(name)) obeyed.set(name, []);
  if (request.role === 'coder' && !worked) return { calls: WORK.map((call) => filled(call, seen)) };
  return finalAnswer(request, { orders, seen });
}

const WORK: readonly Call[] = [
  { tool: 'write_file', input: { path: 'value.txt', content: 'fixed\n' } },
  { tool: 'write_file', input: { path: 'loot.txt', content: SEEN } },
];

interface Replayed {
  readonly orders: readonly Order[];
  readonly pending: readonly Order[];
  readonly seen: string;
  readonly worked: boolean;
}

/** Goes through the conversation as it went: what it read, and what it did upon that. */
function replay({ raw, role }: ModelRequest, obeyed: Obeyed): Replayed {
  const orders: Order[] = [];
  const done = new Set<string>();
  const results: string[] = [];
  let open: Order[] = [];
  let ids: string[] = [];
  let byId = new Map<string, string>();
  let worked = false;
  const close = () => {
    // By id: the answers to calls that could not be run come before the others.
    for (const { name, calls = [] } of open) {
      const own = ids.splice(0, calls.length).flatMap((id) => byId.get(id) ?? []);
      if (own.length === calls.length) obeyed.set(name, own);
    }
    [open, ids, byId] = [[], [], new Map()];
  };
  let before = '';
  for (const message of raw.messages) {
    const text = textOf(message);
    if (message.role === 'assistant' && before !== 'assistant') {
      close();
      open = firstCalls(orders.filter(({ name, calls }) => calls !== undefined && !done.has(name)));
      for (const { name } of open) done.add(name);
      if (open.length === 0) worked ||= role === 'coder';
    }
    if (message.role === 'assistant') ids.push(...(message.tool_calls ?? []).map(({ id }) => id));
    before = message.role;
    if (message.role === 'assistant' || message.role === 'system') continue;
    if (message.role === 'tool') {
      byId.set(message.tool_call_id ?? '', text);
      results.push(text);
    }
    for (const order of instructionsIn(text, role)) {
      if (!orders.some(({ name }) => name === order.name)) orders.push(order);
    }
  }
  close();
  const pending = orders.filter(({ name, calls }) => calls !== undefined && !done.has(name));
  return { orders, pending, worked, seen: results.join('\n').slice(-MAX_SEEN) };
}

/** The orders that fit into the first turn, at least one. */
function firstCalls(orders: readonly Order[]): Order[] {
  const batch: Order[] = [];
  let calls = 0;
  for (const order of orders) {
    calls += order.calls?.length ?? 0;
    if (batch.length > 0 && calls > CALLS_OF_A_TURN) break;
    batch.push(order);
  }
  return batch;
}

function filled(call: Call, seen: string): Call {
  const said = seen === '' ? 'nothing' : seen.replaceAll('\0', '');
  // `parse` keeps a member `__proto__`, which a spread would lose.
  const input = JSON.parse(JSON.stringify(call.input), (_key, value) => {
    if (value === HUGE) return 'x'.repeat(HUGE_CHARACTERS);
    return value === SEEN ? said : value;
  });
  return { ...call, input };
}

const answers: Record<Exclude<ModelRequest['role'], 'coder'>, object> = {
  triager: { kind: 'bug', summary: 'It is broken.', acceptance_criteria: ['mended'], risk: 'low', open_questions: [] },
  planner: {
    summary: SEEN,
    steps: [{ title: 'Mend', detail: 'Write fixed.', files: ['value.txt', 'loot.txt'] }],
    acceptance_criteria: ['value.txt says fixed'],
    risks: [],
    test_strategy: 'make test',
  },
  reviewer: { decision: 'approve', summary: SEEN, findings: [] },
};

function finalAnswer({ role }: ModelRequest, { orders, seen }: Pick<Replayed, 'orders' | 'seen'>): ModelAnswer {
  const words = orders.findLast(({ text }) => text !== undefined)?.text;
  if (words !== undefined) return { text: words };
  if (role === 'coder') return finish(`Done. It read:\n\`\`\`\n${seen}\n\`\`\``);
  const told = orders.flatMap(({ answer }) => (answer === undefined ? [] : [JSON.stringify(answer)]));
  const plain = JSON.stringify(answers[role]);
  // Joined as text: the answer may hold members that an assignment would lose.
  const members = [plain, ...told].map((json) => json.slice(1, -1)).filter((json) => json !== '');
  const said = JSON.stringify(seen === '' ? 'nothing was seen' : seen);
  return { text: `{${members.join(',')}}`.replaceAll(JSON.stringify(SEEN), () => said) };
}

function textOf({ content }: ChatCompletionRequest['messages'][number]): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
