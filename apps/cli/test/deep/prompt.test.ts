import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { exitCode } from '../../src/terminal/exit-code.ts';
import { type ContractProxy, startContractProxy } from '../contract-proxy.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { openScreen, type Screen } from '../screen.ts';

// Usual way: apps/cli/test/prompt.test.ts

const ENTER = '\r';
const DOWN = '\x1b[B';
const CTRL_C = '\x03';
const QUESTION = 'Approve this plan?';

let proxy: ContractProxy;
let home: string;
let screen: Screen;

beforeAll(async () => {
  proxy = await startContractProxy();
});

afterAll(() => proxy?.[Symbol.asyncDispose]());

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sluice prompt '));
  screen = await openScreen(['demo'], { HOME: home, ...proxy.env });
});

afterEach(() => {
  screen[Symbol.dispose]();
  rmSync(home, { recursive: true, force: true });
});

const shows = (text: string) => screen.shows(text);
const types = (...keys: string[]) => screen.types(...keys);
const ends = () => screen.ends();

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

itConformsToOpenApi(() => proxy);
