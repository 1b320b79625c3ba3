import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { exitCode } from '../src/terminal/exit-code.ts';
import { type ContractProxy, startContractProxy } from './contract-proxy.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { openScreen, type Screen } from './screen.ts';

const ENTER = '\r';
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

it('shows the plan and why it needs approval, and approves with one key', async () => {
  await shows('Plan, revision 1');
  await shows('Why this needs approval');
  await shows('No code is written before a person has approved the plan.');
  await shows(QUESTION);
  types(ENTER);
  await shows('See the result:');
  expect(await ends()).toBe(exitCode.done);
});

itConformsToOpenApi(() => proxy);
