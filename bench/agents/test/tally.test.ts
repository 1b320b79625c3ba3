import { expect, it } from 'vitest';
import { economyFixes } from '../src/economy/fixes.ts';
import type { EconomyRow } from '../src/economy/measure-economy.ts';
import { renderEconomy } from '../src/economy/render-economy.ts';
import type { MeasuredRequest } from '../src/economy/scripted-endpoint.ts';
import { afterOther, tallyByConversation, tallyOf } from '../src/economy/tally.ts';

/** A request of these messages, of which so many tokens begin an earlier one. */
function request(messages: readonly string[], cacheableTokens: number): MeasuredRequest {
  const body = { messages: messages.map((content, at) => ({ role: at === 0 ? 'system' : 'user', content })) };
  return { conversation: messages[0] ?? '', turn: 0, inputTokens: 1_000, cacheableTokens, outputTokens: 10, body };
}

it('counts what begins an earlier request for a tenth, in all and for each conversation', () => {
  const requests = [request(['plan'], 0), request(['plan'], 800), request(['code'], 200)];
  const all = { requests: 3, inputTokens: 3_000, cacheableShare: 1 / 3, weightedTokens: 2_100, outputTokens: 30 };
  expect(tallyOf(requests)).toEqual(all);
  const each = [...tallyByConversation(requests)].map(([name, { weightedTokens }]) => [name, weightedTokens]);
  expect(each).toEqual([
    ['plan', 1_280],
    ['code', 820],
  ]);
});

it('takes of another run only the common beginning, which its own run may exceed', () => {
  const rules = 'x'.repeat(400);
  const [first, second] = afterOther(
    [request([rules, 'this issue'], 0), request([rules, 'this issue'], 900)],
    [request([rules, 'another issue'], 0), request(['other rules'], 0)],
  );
  expect(first?.cacheableTokens).toBeGreaterThanOrEqual(100);
  expect(first?.cacheableTokens).toBeLessThan(120);
  expect(second?.cacheableTokens).toBe(900);
});

it('prints the ratio of weighted inputs, and that of a later issue only where there is another one', () => {
  const outcome = { ended: 'done', detail: '', patch: '', costUsd: null } as const;
  const rows = economyFixes.slice(0, 2).map((fix): EconomyRow => {
    const own = request(['x'.repeat(2_000), fix.name], 0);
    return { fix, sluice: { outcome, requests: [own, own] }, bash: { outcome, requests: [request(['y'], 0)] } };
  });
  expect(renderEconomy(rows)).toContain('| one file | 2 | 1 | 2.0k | 1.0k | 0 % | 0 % | 2.0k | 1.0k | 2.00 | 1.08 |');
  expect(renderEconomy(rows.slice(0, 1))).toContain('| 2.00 | – |');
});
