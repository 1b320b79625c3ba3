import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@sluice/core/workspace';
import { bashAgent } from '../agent/bash-loop.ts';
import type { AgentOutcome, BenchAgent } from '../agent/bench-agent.ts';
import { openModel } from '../agent/open-model.ts';
import { sluiceAgent } from '../agent/sluice-agent.ts';
import { makeTaskRepo } from '../repo/task-repo.ts';
import { bashScript } from './bash-script.ts';
import type { EconomyFix } from './economy-fix.ts';
import { booksFolder } from './fixes.ts';
import { type MeasuredRequest, type Script, startScriptedEndpoint } from './scripted-endpoint.ts';
import { sluiceScript } from './sluice-script.ts';

export interface EconomyRun {
  readonly outcome: AgentOutcome;
  readonly requests: readonly MeasuredRequest[];
}

export interface EconomyRow {
  readonly fix: EconomyFix;
  readonly sluice: EconomyRun;
  readonly bash: EconomyRun;
}

/** Where the runs work, and with which window. */
export interface EconomySetting {
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** The window that the service takes the model to have, in tokens. */
  readonly contextTokens: number;
  readonly signal: AbortSignal;
}

/** Lets both agents make a fix with the same edits, and measures what each asks of the model. */
export async function measureEconomy(fix: EconomyFix, setting: EconomySetting): Promise<EconomyRow> {
  const sluice = await measureRun(fix, { agent: sluiceAgent(), script: sluiceScript(fix), setting });
  const bash = await measureRun(fix, { agent: bashAgent(), script: bashScript(fix), setting });
  return { fix, sluice, bash };
}

/** One agent's fix. The model is a script on the wire; everything else is real. */
async function measureRun(
  fix: EconomyFix,
  by: { readonly agent: BenchAgent; readonly script: Script; readonly setting: EconomySetting },
): Promise<EconomyRun> {
  const { agent, script, setting } = by;
  const folder = join(setting.folder, `${agent.name}-${fix.name.replaceAll(' ', '-')}`);
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'model-settings.json');
  const price = { input: 3, output: 15, cache_read: 0.3 }; // of a common model; the table shows tokens only
  writeFileSync(settings, JSON.stringify({ 'compatible/scripted': { price, context_tokens: setting.contextTokens } }));
  await using endpoint = await startScriptedEndpoint(script);
  const model = openModel('compatible/scripted', {
    MODEL_BASE_URL: endpoint.url,
    MODEL_API_KEY: 'scripted',
    MODEL_SETTINGS: settings,
  });
  const outcome = await agent.work({
    instruction: `${fix.title}\n\n${fix.body}\n`,
    repo: makeTaskRepo(booksFolder, join(folder, 'base')),
    folder,
    setupCommand: null,
    testCommand: 'node --test',
    allowHosts: [],
    model,
    sandbox: setting.sandbox,
    signal: setting.signal,
  });
  return { outcome, requests: endpoint.requests };
}
