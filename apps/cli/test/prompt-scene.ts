import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type ContractProxy, startContractProxy } from './contract-proxy.ts';
import { openScreen, type Screen } from './screen.ts';

export const ENTER = '\r';
export const QUESTION = 'Approve this plan?';

interface PromptScene extends Pick<Screen, 'shows' | 'types' | 'ends'> {
  proxy(): ContractProxy;
}

/** Runs the demo at a terminal of its own, through the contract proxy, for each test of the file that calls it. */
export function usePrompt(): PromptScene {
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
  return {
    proxy: () => proxy,
    shows: (text) => screen.shows(text),
    types: (...keys) => screen.types(...keys),
    ends: () => screen.ends(),
  };
}
