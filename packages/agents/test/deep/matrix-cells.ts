import { AppError } from '@sluice/core/error';
import { type RunningWireServer, startWireServer, type WireScript } from '@sluice/testing';
import { expect } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { anIssue, aPlanFor, memoryContext } from '../loop/memory-context.ts';
import { ask } from '../models/ask.ts';
import { choiceOf, KEY, type Row, readsFiles, rows, thoughtOf } from './matrix-rows.ts';

export const columns = ['plain', 'thinking', 'tools', 'thinking, 5 turns', 'fallback', 'window', 'error'] as const;
export type Column = (typeof columns)[number];

/** Runs the coder to its end, by these models. */
async function code(choices: readonly ModelChoice[], files: Readonly<Record<string, string>>): Promise<void> {
  const runner = createAgentRunner({ models: () => choices, clock: { now: () => new Date() }, maxRetries: 0 });
  const { issue, repo } = anIssue();
  const memory = memoryContext({ files });
  const input = { issue, repo, plan: aPlanFor(Object.keys(files)), round: 1, feedback: null };
  const { output } = await runner.run('coder', input, memory.context);
  expect(output).toMatchObject({ outcome: 'done' });
}

const smallFiles = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `line of ${at}\n`]));

/** Green, and what the vendor refused on the way. Nothing is asked twice that the vendor has refused once. */
function outcomeOf(server: RunningWireServer): string {
  const refused = server.requests.flatMap(({ refusal }) => refusal?.message ?? []);
  expect(new Set(refused).size, refused.join('\n')).toBe(refused.length);
  return refused.length === 0 ? 'green' : `green, after: ${refused.map((one) => one.slice(0, 70)).join('; ')}`;
}

/** No thought was changed on its way back, lost where the vendor wants it, or shown to another maker. */
function expectThoughtsKept(row: Row, server: RunningWireServer): void {
  const { thoughts } = server;
  expect(thoughts).toMatchObject({ altered: 0, foreign: 0 });
  if (row.server.thoughtsBack.are === 'closed') return;
  expect(thoughts.sent).toBeGreaterThanOrEqual(5);
  if (['required', 'expected'].includes(row.server.thoughtsBack.are))
    expect(thoughts).toMatchObject({ returned: 5, lost: 0 });
}

const says: WireScript = {
  key: KEY,
  answer: (_conversation, number) => ({ text: 'Done.', thought: thoughtOf(number) }),
};

/** A server may put its thoughts before its words, which the roles take out: packages/agents/src/roles/answer.ts. */
const endsInWords = /^(?:<think>[\s\S]*<\/think>)?Done\.$/;

async function plain(row: Row): Promise<string> {
  await using server = await startWireServer(row.server, says);
  const turn = await ask([choiceOf(row, server.origin)]);
  expect(turn.finishReason).toBe('stop');
  expect(turn.said).toMatch(endsInWords);
  expect(turn.usage.inputTokens).toBeGreaterThan(0);
  return outcomeOf(server);
}

async function thinking(row: Row): Promise<string> {
  await using server = await startWireServer(row.server, says);
  const turn = await ask([choiceOf(row, server.origin, { stage: 'plan' })]);
  expect(turn.said).toMatch(endsInWords);
  const isHidden = row.server.thoughtsBack.are === 'closed';
  expect(server.thoughts.given).toBe(isHidden ? 0 : 1);
  return isHidden ? 'hidden by the vendor' : outcomeOf(server);
}

async function tools(row: Row): Promise<string> {
  await using server = await startWireServer(row.server, readsFiles(1, false));
  await code([choiceOf(row, server.origin)], smallFiles);
  return outcomeOf(server);
}

async function fiveTurns(row: Row): Promise<string> {
  await using server = await startWireServer(row.server, readsFiles(5, true));
  await code([choiceOf(row, server.origin, { stage: 'implement' })], smallFiles);
  expectThoughtsKept(row, server);
  if (row.server.thoughtsBack.are === 'required') await expectRefusedWithoutThoughts(row, server);
  return outcomeOf(server);
}

/** The names under which thoughts and signatures stand in requests. */
const thoughtMembers = /^(?:reasoning_content|reasoningContent|thinking|signature|thoughtSignature)$/;

/** The server is as strict as it says: what it has just answered, it refuses without the thoughts. */
async function expectRefusedWithoutThoughts(row: Row, server: RunningWireServer): Promise<void> {
  const last = server.requests.at(-1);
  if (last === undefined) throw new Error('Nothing was asked.');
  const isThought = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    ('reasoningContent' in value || ('type' in value && value.type === 'thinking'));
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isThought(one)).map(cut);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name, one]) => !thoughtMembers.test(name) || isSwitch(name, one));
    return Object.fromEntries(kept.map(([name, one]) => [name, cut(one)]));
  };
  const refused = row.server.rules.filter((rule) => rule.refuse(cut(last.body), server.memory) !== null);
  expect(refused.length, `${row.label} takes an answer without its thought`).toBeGreaterThan(0);
}

/** The member `thinking` of a request says how to think. */
const isSwitch = (name: string, value: unknown) => name === 'thinking' && typeof value === 'object';

/** The maker that answers first and then no more. */
const firstMaker = (row: Row) =>
  rows.find(({ label }) => label === (row.server.name === 'anthropic' ? 'deepseek' : 'anthropic'))!;

async function fallback(row: Row): Promise<string> {
  const first = firstMaker(row);
  let answered = 0;
  await using gone = await startWireServer(first.server, {
    ...readsFiles(5, true),
    refuse: (number) => (number > 2 ? 'busy' : null),
  });
  await using server = await startWireServer(row.server, {
    key: KEY,
    answer(conversation) {
      answered = conversation.results.length;
      return readsFiles(5, true).answer(conversation, answered);
    },
  });
  const stage = 'implement';
  await code([choiceOf(first, gone.origin, { stage }), choiceOf(row, server.origin, { stage })], smallFiles);
  expect(gone.requests.length).toBeGreaterThan(2);
  expect(server.thoughts).toMatchObject({ altered: 0, foreign: 0 });
  return outcomeOf(server);
}

const WINDOW = 20_000;

async function window(row: Row): Promise<string> {
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `line ${at} of a long file${'.'.repeat(100)}\n`.repeat(200)]),
  );
  await using server = await startWireServer(row.server, { ...readsFiles(6, true), window: WINDOW });
  // The person has set more than the server has.
  const choice = choiceOf(row, server.origin, { stage: 'implement', contextTokens: WINDOW * 3 });
  await code([choice], files);
  const overflows = server.requests.filter(({ refusal }) => refusal !== null);
  expect(overflows.length, overflows.map(({ refusal }) => refusal?.message).join('\n')).toBeLessThanOrEqual(2);
  return overflows.length === 0 ? 'green, never full' : `green, ${overflows.length} refused as full`;
}

async function failureOf(turn: Promise<unknown>): Promise<AppError> {
  const error = await turn.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('It did not fail.');
  expect(`${error.message}${JSON.stringify(error)}`).not.toContain(KEY);
  return error;
}

async function error(row: Row): Promise<string> {
  await using locked = await startWireServer(row.server, { ...says, key: 'another-key-of-the-matrix' });
  const refused = await failureOf(ask([choiceOf(row, locked.origin)]));
  expect(refused.code).toBe('model_key_refused');
  expect(locked.requests).toHaveLength(1);
  await using busy = await startWireServer(row.server, { ...says, refuse: () => 'busy' });
  const failed = await failureOf(ask([choiceOf(row, busy.origin)]));
  expect(failed.retry).toBe(true);
  expect(failed.message).toContain(row.server.busy.message.replace(/\s+/g, ' ').slice(0, 40));
  return `${refused.code}, ${failed.code}`;
}

/** Tries a column of a row. @returns what the table says of it @throws where the row fails */
export const cellOf: Record<Column, (row: Row) => Promise<string>> = {
  ...{ plain, thinking, tools, 'thinking, 5 turns': fiveTurns, fallback, window, error },
};
