import { expect, it } from 'vitest';
import { exitCode } from '../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { ENTER, QUESTION, usePrompt } from './prompt-scene.ts';

const { proxy, shows, types, ends } = usePrompt();

it('shows the plan and why it needs approval, and approves with one key', async () => {
  await shows('Plan, revision 1');
  await shows('Why this needs approval');
  await shows('No code is written before a person has approved the plan.');
  await shows(QUESTION);
  types(ENTER);
  await shows('See the result:');
  expect(await ends()).toBe(exitCode.done);
});

itConformsToOpenApi(proxy);
