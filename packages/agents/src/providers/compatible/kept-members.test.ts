import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptMembers, MAX_KEPT_BYTES } from './kept-members.ts';

function keptOf(...deltas: unknown[]) {
  const members = keptMembers();
  for (const delta of deltas) members.add({ choices: [{ index: 0, delta }] });
  return members.end();
}

const ofCall = (...calls: unknown[]) => keptOf(...calls.map((call) => ({ tool_calls: [call] }))).call('a', 0);

it('keeps whatever JSON stands under a name that the API does not have, byte for byte', () => {
  const unknown = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}_x$/),
    fc.jsonValue().filter((value) => value !== null),
    { minKeys: 1, maxKeys: 4 },
  );
  fc.assert(
    fc.property(unknown, (members) => {
      const sent = JSON.parse(JSON.stringify(members));
      expect(keptOf({ role: 'assistant', content: 'x', ...sent }).message).toBe(JSON.stringify(sent));
      expect(ofCall({ id: 'a', index: 0, function: { name: 'f' }, ...sent })).toBe(JSON.stringify(sent));
    }),
  );
});

it('puts a text together from its pieces, wherever they are cut', () => {
  const pieces = fc.array(fc.string({ minLength: 1, unit: 'binary' }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(pieces, (texts) => {
      const deltas = texts.map((text) => ({ details_x: [{ type: 'text', index: 0, text }] }));
      expect(keptOf(...deltas).message).toBe(
        JSON.stringify({ details_x: [{ type: 'text', index: 0, text: texts.join('') }] }),
      );
    }),
  );
});

it('keeps a long thought, whatever each of its pieces is wrapped in', () => {
  const piece = {
    reasoning_details: [{ type: 'reasoning.text', text: 'word ', format: 'anthropic-claude-v1', index: 0 }],
  };
  const { message } = keptOf(...Array.from({ length: 60_000 }, () => piece));
  expect(JSON.parse(message ?? '{}').reasoning_details[0].text).toBe('word '.repeat(60_000));
});

it('tells the members with thoughts, and keeps one that is only ever empty', () => {
  expect(keptOf({ reasoning: '' }, { reasoning: 'Hm.' })).toMatchObject({ thoughts: ['reasoning'], message: null });
  expect(keptOf({ reasoning_content: '' }, { reasoning_content: null })).toMatchObject({
    thoughts: [],
    message: '{"reasoning_content":""}',
  });
  expect(keptOf({ content: 'Only words.', reasoning_content: null })).toMatchObject({ thoughts: [], message: null });
});

describe('a hostile server', () => {
  it('cannot fill the journal: what is over the limit is not kept at all', () => {
    const piece = { blob_x: 'x'.repeat(100_000) };
    expect(keptOf(...Array.from({ length: 10 }, () => piece)).message?.length).toBeGreaterThan(1_000_000);
    expect(keptOf(...Array.from({ length: 11 }, () => piece)).message).toBeNull();
    expect(ofCall(...Array.from({ length: 11 }, () => ({ id: 'a', ...piece })))).toBeNull();
    expect(keptOf({ content: [{ type: 'image', data: 'x'.repeat(MAX_KEPT_BYTES) }] }).message).toBeNull();
    const image = { content: [{ type: 'image', data: 'x'.repeat(1_000_000) }] };
    const kept = keptOf(image, { tool_calls: [{ id: 'a', ...piece }] });
    expect([kept.message, kept.call('a', 0)]).toEqual([null, null]);
  });

  it('cannot reach the prototype of an object', () => {
    const evil = JSON.parse(
      '{"__proto__": {"evil": 1}, "constructor": {"prototype": {"evil": 1}}, "x": {"__proto__": 2}}',
    );
    const kept = keptOf(evil, evil, { tool_calls: [{ id: 'a', function: evil, ...evil }] });
    expect(kept.message).not.toContain('evil');
    expect(kept.call('a', 0)).not.toContain('evil');
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });

  it('cannot break the answer by nesting without an end', () => {
    const deep = JSON.parse(`${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(keptOf(deep, deep).message).toBeNull();
    // Somewhere between, a copy is possible and a text is not.
    for (let depth = 1_000; depth < 12_000; depth += 250) {
      const x = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      const kept = keptOf({ content: [{ type: 'x', x }] }, { x_x: x }, { tool_calls: [{ id: 'a', x }] });
      expect([kept.message, kept.call('a', 0)].map((text) => text?.includes('[[') ?? true)).toEqual([true, true]);
    }
  });

  it.each([null, 1, 'x', [], { choices: 'x' }, { choices: [null] }, { choices: [{ delta: [1] }] }])(
    'may send %j for a piece',
    (chunk) => {
      const members = keptMembers();
      members.add(chunk);
      expect(members.end()).toMatchObject({ thoughts: [], message: null });
    },
  );
});
