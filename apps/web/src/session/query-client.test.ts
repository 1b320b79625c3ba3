import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

it('asks the server although the browser is offline, which a server on the same machine is not', async () => {
  const queries = createQueryClient(() => {});
  onlineManager.setOnline(false);
  expect(await queries.fetchQuery({ queryKey: ['read'], queryFn: async () => 'read' })).toBe('read');
  const mutation = queries.getMutationCache().build(queries, { mutationFn: async () => 'changed' });
  expect(await mutation.execute(undefined)).toBe('changed');
});
