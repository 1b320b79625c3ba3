import type { Gate, Issue } from '@sluice/client';
import { expect, it } from 'vitest';
import { chosenView } from './chosen-view.ts';

const gate = (kind: Gate['kind']) => ({ kind }) as Gate;
const result = (branch: string | null) => ({ branch }) as Issue['result'];

it.each([
  ['plan', { status: 'awaiting_approval', gate: gate('plan'), result: null }],
  ['diff', { status: 'awaiting_approval', gate: gate('publish'), result: null }],
  ['diff', { status: 'completed', gate: null, result: result('sluice/fix') }],
  ['activity', { status: 'completed', gate: null, result: result(null) }],
  ['activity', { status: 'running', gate: null, result: null }],
  ['activity', { status: 'failed', gate: null, result: null }],
  ['activity', { status: 'pending', gate: null, result: null }],
] as const)('opens %s', (view, issue) => {
  expect(chosenView(issue)).toBe(view);
});
