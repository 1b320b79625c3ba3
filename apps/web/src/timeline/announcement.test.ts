import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { announcement } from './announcement.ts';

const said = (type: IssueEvent['type'], data: object) =>
  announcement({ seq: 1, at: '', issue_id: 'i', type, data } as IssueEvent);

it('says what an agent wrote when it is complete, and not more than one listens to', () => {
  expect(said('agent.message', { agent: 'coder', text: 'Done.' })).toBe('coder: Done.');
  expect(said('agent.message', { agent: 'coder', text: 'x'.repeat(5_000) })).toHaveLength(307);
});

it('says how a command ended', () => {
  expect(said('command.finished', { command: 'npm test', exit_code: 1 })).toBe('npm test ended with exit code 1');
  expect(said('command.finished', { command: 'npm test', exit_code: null })).toBe('npm test was stopped');
});

it('says nothing about single steps', () => {
  expect(said('agent.tool_call', { tool: 'read_file' })).toBeNull();
  expect(said('diff.updated', { files: [] })).toBeNull();
});
