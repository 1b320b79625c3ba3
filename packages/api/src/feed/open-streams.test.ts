import { callerOf } from '@sluice/core/access';
import type { Session } from '@sluice/core/account';
import { newId } from '@sluice/testing';
import { expect, it, vi } from 'vitest';
import { createOpenStreams } from './open-streams.ts';

it('goes by the roles of after a change, although a read of before it ends last', async () => {
  let change = () => {};
  const reads: ((roles: string) => void)[] = [];
  const streams = createOpenStreams(
    { watch: () => ({ check: async () => {}, checkTogether: async () => {}, stop: () => {} }) },
    {
      watch: (_, onChange) => {
        change = onChange;
        return () => {};
      },
    },
  );
  const userId = newId<Session['userId']>();
  let roles = '';
  const stream = streams.open(
    {
      caller: callerOf(userId),
      session: { id: newId(), userId } as Session,
      gone: new AbortController().signal,
      hangUp: () => {},
    },
    {
      userId,
      key: userId,
      read: () => new Promise<string>((resolve) => reads.push(resolve)),
      take: (read) => {
        roles = read;
      },
    },
  );
  const begun = stream.begin();
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  change();
  reads[1]?.('none');
  await vi.waitFor(() => expect(roles).toBe('none'));
  reads[0]?.('viewer');
  await vi.waitFor(() => expect(reads).toHaveLength(3));
  expect(roles).toBe('none');
  reads[2]?.('none');
  expect(await begun).toBe(true);
  stream.close();
});
