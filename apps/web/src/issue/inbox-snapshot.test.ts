import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { inboxSnapshot } from './inbox-snapshot.ts';

const summary = { id: 'one', title: 'Round once', status: 'running', stage: 'test', usage: {}, branch: null };

it('draws an issue with what the inbox has of it, without its texts', () => {
  const queries = new QueryClient();
  queries.setQueryData(['inbox', { q: '' }], { running: { items: [{ ...summary, id: 'two' }, summary], total: 2 } });
  expect(inboxSnapshot(queries, 'one')).toMatchObject({ title: 'Round once', status: 'running', body: '', gate: null });
});

it('has nothing of an issue that no list holds', () => {
  const queries = new QueryClient();
  queries.setQueryData(['inbox'], [summary]);
  expect(inboxSnapshot(queries, 'three')).toBeUndefined();
});
