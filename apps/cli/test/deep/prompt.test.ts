import { expect, it } from 'vitest';
import { exitCode } from '../../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { ENTER, QUESTION, usePrompt } from '../prompt-scene.ts';

// Usual way: apps/cli/test/prompt.test.ts

const DOWN = '\x1b[B';
const CTRL_C = '\x03';

const { proxy, shows, types, ends } = usePrompt();

it('makes a new plan from the guidance, and ends with 8 when it is rejected', async () => {
  await shows(QUESTION);
  types(DOWN, ENTER);
  await shows('What should change?');
  types(ENTER); // empty, so it asks again
  await shows('Describe what to change.');
  types('Leave the API as it is.', ENTER);
  await shows('Plan, revision 2');
  await shows('Leave the API as it is.');
  await shows(QUESTION);
  types(DOWN, DOWN, ENTER);
  await shows('Ended as rejected');
  expect(await ends()).toBe(exitCode.declined);
});

it('leaves the plan waiting when the user decides later, and ends with 9', async () => {
  await shows(QUESTION);
  types(DOWN, DOWN, DOWN, ENTER);
  await shows('The plan is waiting for a decision.');
  expect(await ends()).toBe(exitCode.waitsForApproval);
});

it('ends with 130 on Ctrl-C at the prompt, and leaves the terminal usable', async () => {
  await shows(QUESTION);
  types(CTRL_C);
  await shows('Interrupted.');
  expect(await ends()).toBe(exitCode.interrupted);
});

itConformsToOpenApi(proxy);
