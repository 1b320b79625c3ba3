import type { SluiceClient } from '@sluice/client';
import { expect, it } from 'vitest';
import type { LocalFolder } from '../local/open-local-folder.ts';
import type { Output } from '../terminal/output.ts';
import { withoutColour } from '../terminal/style.ts';
import { createInTurn } from './create-in-turn.ts';

it('creates the issue without a word of waiting when the other run ends while it is asked about', async () => {
  let isHeldElsewhere = true;
  const client = {
    repos: {
      get: {
        query: async () => {
          isHeldElsewhere = false;
          return { active_issue_id: null };
        },
      },
    },
    issues: { create: { mutate: async () => ({ id: 'the new issue' }) } },
  } as unknown as SluiceClient;
  const said: string[] = [];
  const output = { messageStyle: withoutColour, message: (text: string) => said.push(text) } as unknown as Output;
  const folder = { client, isHeldElsewhere: () => isHeldElsewhere } as LocalFolder;
  const id = await createInTurn(
    { client, output, folder },
    {
      repoId: 'the repository',
      issue: { title: 'A bug', body: '' },
      settings: {},
      continueCommand: '',
      signal: AbortSignal.timeout(30_000),
    },
  );
  expect({ id, said }).toEqual({ id: 'the new issue', said: [] });
});
