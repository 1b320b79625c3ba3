import { describe, expect, it } from 'vitest';
import type { ModelTable } from '../../src/providers/model-settings-file.ts';
import { ask, choiceAt } from './ask.ts';
import { answersIn, type ChatAnswer, converse, replayedIn, startStrict } from './strict-chat.ts';
import { lenient, strictRules } from './strict-rules.ts';
import { startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

const compatible = (url: string, name: string, settings: ModelTable[string] = {}) =>
  choiceAt(url, `compatible/${name}`, { table: { [`compatible/${name}`]: settings } });

const callAt = (turn: number, more: object = {}) => [{ id: `call_${turn}`, path: `f${turn}.js`, ...more }];

/** The text of a thought with what JSON, a store or a careless copy might change. */
const THOUGHT = 'Ω “why” \\n \u2028 <think> 1.0 é e\u0301 😀\tend';

describe('a server is sent back what it sent, in the same place and with the same bytes', () => {
  it.each(['reasoning_content', 'reasoning'])('as %s, in pieces and whole', async (field) => {
    const pieces = [...THOUGHT].map((piece) => ({ [field]: piece }));
    await using vendor = await startStrict(lenient, (turn) => ({
      deltas: turn % 2 === 0 ? pieces : [{ [field]: `${turn}` }],
      calls: callAt(turn),
    }));
    const choice = compatible(vendor.url, 'm');
    await converse([choice, choice, choice, choice]);
    expect(replayedIn(vendor.requests)).toEqual(
      [{ [field]: THOUGHT }, { [field]: '1' }, { [field]: THOUGHT }].map((one) => JSON.stringify(one)),
    );
  });

  it('as details of thoughts that came in pieces, signed at the end, with other keys than ours', async () => {
    const piece = (more: object) => ({
      reasoning_details: [{ type: 'reasoning.text', ...more, format: 'anthropic-claude-v1', index: 0 }],
    });
    await using vendor = await startStrict(lenient, (turn) => ({
      deltas: [
        { reasoning: 'I ', ...piece({ text: 'I ' }) },
        { reasoning: 'think.', ...piece({ text: 'think.' }) },
        piece({ signature: `EqQB+${turn}==` }),
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'gAAA/', id: 'rs_1', index: 1 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'gBBB/', id: 'rs_2', index: 1 }] },
      ],
      calls: callAt(turn),
    }));
    const choice = compatible(vendor.url, 'anthropic/claude-opus-5');
    await converse([choice, choice, choice]);
    const sentBack = (turn: number) =>
      JSON.stringify({
        reasoning: 'I think.',
        reasoning_details: [
          {
            type: 'reasoning.text',
            text: 'I think.',
            format: 'anthropic-claude-v1',
            index: 0,
            signature: `EqQB+${turn}==`,
          },
          { type: 'reasoning.encrypted', data: 'gAAA/', id: 'rs_1', index: 1 },
          { type: 'reasoning.encrypted', data: 'gBBB/', id: 'rs_2', index: 1 },
        ],
      });
    expect(replayedIn(vendor.requests)).toEqual([sentBack(0), sentBack(1)]);
  });

  it.each([
    ['google', { members: { extra_content: { google: { thought_signature: 'AY8/+' } } } }],
    ['vertex', { members: { extra_content: { vertex: { thought_signature: 'AY8/+' } } } }],
    ['a vendor of tomorrow', { members: { zz: { b: 1, a: [null, true] }, extra_content: { y: { x: 'z' } } } }],
    ['a gateway, inside the function', { ofFunction: { provider_specific_fields: { thought_signature: 'AY8/+' } } }],
  ])('as a signature of a call, under the name of %s', async (_whose, more) => {
    await using vendor = await startStrict(lenient, (turn) => ({
      calls: [...callAt(turn, more), { id: `second_${turn}`, path: 'g.js' }],
    }));
    const choice = compatible(vendor.url, 'm');
    await converse([choice, choice, choice]);
    for (const { tool_calls = [] } of answersIn(vendor.requests.at(-1)?.body ?? {})) {
      const [first, second] = tool_calls;
      const { id, type, function: called, ...members } = first ?? {};
      const { name, arguments: input, ...ofFunction } = called as Record<string, unknown>;
      expect(JSON.stringify({ members, ofFunction })).toBe(JSON.stringify({ members: {}, ofFunction: {}, ...more }));
      expect(Object.keys(second ?? {})).toEqual(['id', 'type', 'function']);
      expect([id, type, name, input]).toEqual([
        expect.stringMatching(/^call_/),
        'function',
        'read_file',
        expect.any(String),
      ]);
    }
  });

  it('as the signature of each call where all calls have one id', async () => {
    const signed = (signature: string) => ({
      id: 'call',
      path: `${signature}.js`,
      members: { extra_content: { google: { thought_signature: signature } } },
    });
    await using vendor = await startStrict(lenient, () => ({ calls: ['one', 'two', 'three'].map(signed) }));
    const choice = compatible(vendor.url, 'm');
    await converse([choice, choice]);
    const [{ tool_calls = [] } = {}] = answersIn(vendor.requests.at(-1)?.body ?? {});
    expect(tool_calls.map(({ extra_content }) => extra_content)).toEqual(
      ['one', 'two', 'three'].map((signature) => ({ google: { thought_signature: signature } })),
    );
    expect(new Set(tool_calls.map(({ id }) => id)).size).toBe(3);
  });

  it('as a signature of the whole message, and one that comes after its call', async () => {
    const late = { tool_calls: [{ index: 0, function: {}, extra_content: { google: { thought_signature: 'late' } } }] };
    await using vendor = await startStrict(lenient, (turn) =>
      turn === 0
        ? { text: 'Hm.', deltas: [{ extra_content: { google: { thought_signature: 'whole' } } }] }
        : { calls: callAt(turn), after: [late] },
    );
    const choice = compatible(vendor.url, 'm');
    await converse([choice, choice, choice]);
    expect(replayedIn(vendor.requests)).toEqual(['{"extra_content":{"google":{"thought_signature":"whole"}}}', '{}']);
    expect(answersIn(vendor.requests.at(-1)?.body ?? {})[1]?.tool_calls?.[0]?.extra_content).toEqual({
      google: { thought_signature: 'late' },
    });
  });

  it('as parts of its content', async () => {
    const thinking = (text: string) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] });
    await using vendor = await startStrict(lenient, (turn) => ({
      deltas: [thinking('Let '), thinking('me see.')],
      text: 'I look.',
      calls: callAt(turn),
    }));
    const choice = compatible(vendor.url, 'magistral');
    await converse([choice, choice]);
    expect(answersIn(vendor.requests.at(-1)?.body ?? {})[0]?.content).toEqual([
      { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] },
      { type: 'text', text: 'I look.' },
    ]);
  });
});

describe('what a server sent is for that server alone', () => {
  const secretive: ChatAnswer = {
    deltas: [{ reasoning_content: 'canary-thought', reasoning_details: [{ type: 'x', data: 'canary-details' }] }],
    text: 'I look.',
    calls: [
      { id: 'call_1', path: 'a.js', members: { extra_content: { google: { thought_signature: 'canary-sig' } } } },
    ],
  };

  it('and no other model of the same server is sent it', async () => {
    await using vendor = await startStrict(lenient, () => secretive);
    await converse([compatible(vendor.url, 'one'), compatible(vendor.url, 'two')]);
    const sent = JSON.stringify(vendor.requests.at(-1)?.body);
    expect(sent).toContain('I look.');
    expect(sent).not.toContain('canary');
  });

  it('and a model of the same name at another address is not sent it', async () => {
    await using vendor = await startStrict(lenient, () => secretive);
    await using other = await startStrict(lenient, () => secretive);
    await converse([compatible(vendor.url, 'one'), compatible(other.url, 'one'), compatible(vendor.url, 'one')]);
    expect(JSON.stringify(other.requests.at(-1)?.body)).not.toContain('canary');
    // Its own is sent back all the same, and what the other one said is not.
    const [own, others] = answersIn(vendor.requests.at(-1)?.body ?? {});
    expect(JSON.stringify(own)).toContain('canary-sig');
    expect(JSON.stringify(others)).not.toContain('canary');
  });

  it.each(wireFormats)('and $name is not sent it', async (format) => {
    await using vendor = await startStrict(lenient, () => secretive);
    const messages = await converse([compatible(vendor.url, 'one')]);
    await using last = await startVendor((response) => format.whole(response, 'Yes.'));
    await ask([choiceAt(last.url, format.name)], { messages });
    expect(JSON.stringify(last.requests[0]?.body)).not.toMatch(/canary|sluice/);
  });
});

describe('five turns of thinking with tools, and another maker in the middle, are taken by', () => {
  const field =
    (name: string) =>
    (turn: number): ChatAnswer => ({
      deltas: turn === 1 ? [] : [{ [name]: turn === 2 ? '' : `thought ${turn}` }],
      calls: callAt(turn),
    });
  const signed =
    (namespace: string) =>
    (turn: number): ChatAnswer => ({
      calls: callAt(turn, { members: { extra_content: { [namespace]: { thought_signature: `s${turn}` } } } }),
    });

  it.each([
    ['deepseek', strictRules.deepseek, 'deepseek-v4-pro', field('reasoning_content'), {}],
    ['kimi', strictRules.kimi, 'kimi-k2.6', field('reasoning_content'), {}],
    ['groq', strictRules.groq, 'gpt-oss', field('reasoning'), { dialect: 'groq' }],
    ['cerebras', strictRules.cerebras, 'gpt-oss', field('reasoning'), { dialect: 'cerebras' }],
    ['gemini', strictRules.gemini, 'gemini-3.1-pro-preview', signed('google'), {}],
    ['gemini behind a gateway', strictRules.gemini, 'google/gemini-3-flash', signed('vertex'), {}],
    [
      'mistral',
      strictRules.mistral,
      'magistral',
      (turn: number) => ({ calls: [{ id: `abcdefgh${turn}`, path: 'a' }] }),
      { dialect: 'mistral' },
    ],
  ] as const)('%s without one refused request', async (...[, rule, model, answerAt, settings]) => {
    await using vendor = await startStrict(rule, answerAt);
    await using other = await startStrict(lenient, (turn) => ({
      deltas: [{ reasoning: 'x' }],
      calls: [{ id: `functions.read_file:${turn}`, path: 'b' }],
    }));
    const [own, foreign] = [compatible(vendor.url, model, settings), compatible(other.url, 'other')];
    await converse([own, own, own, foreign, own, own]);
    expect(vendor.requests).toHaveLength(5);
  });
});

it('sends thoughts in the field of vLLM where that dialect is set, also those of a conversation that older releases began', async () => {
  await using vendor = await startStrict(lenient, (turn) => ({
    deltas: [{ reasoning_content: 'old' }],
    calls: callAt(turn),
  }));
  const choice = compatible(vendor.url, 'glm-5', { dialect: 'vllm' });
  await converse([choice, choice]);
  expect(replayedIn(vendor.requests)).toEqual(['{"reasoning":"old"}']);
});
