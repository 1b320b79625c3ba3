import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostResolver } from '@sluice/core/network';
import type { SandboxProbe } from '@sluice/core/workspace';
import { type InstallationSurvey, surveyQueue, surveyStorage } from '../compose/admin-storage.ts';
import { openHostResolver } from '../compose/open-host-resolver.ts';
import { openOidc } from '../compose/open-oidc.ts';
import { openSandbox } from '../compose/open-sandbox.ts';
import { ignoredDotEnvNote, type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/parse-config.ts';
import { accountFindings, oidcFindings } from './account-findings.ts';
import { codeHostFindings } from './code-host-findings.ts';
import { type Finding, ok, warning } from './finding.ts';
import { dataFolderFinding, workspacesFinding } from './folder-finding.ts';
import { configurationFindings, gitFinding, sandboxFindings } from './host-findings.ts';
import { modelFindings, reachFindings, toolFindings, windowFindings } from './model-findings.ts';
import { queueFindings, slotFindings } from './queue-findings.ts';
import { mailFinding, serviceFindings } from './service-findings.ts';

export interface Diagnosis {
  /** No finding is a problem. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

export interface DiagnoseOptions extends LoadConfigOptions {
  /** Ask each model for one small answer, which costs tokens. */
  readonly tryModels?: boolean | undefined;
}

/** Checks everything that this installation needs, and how to fix each problem. */
export async function diagnose({ tryModels = false, ...options }: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { config, findings: configured } = configurationFindings(() => loadConfig(options));
  const findings = [ok('node', process.version), await gitFinding(), ...configured];
  if (config !== null) {
    const hosts = openHostResolver();
    const note = ignoredDotEnvNote(options);
    if (note !== null) findings.push(warning('configuration', note, null));
    findings.push(await dataFolderFinding(config.dataDir), await workspacesFinding(config));
    const services = await serviceFindings(config);
    findings.push(...services);
    const survey = services.some(({ state }) => state === 'problem') ? null : await surveyStorage(config);
    findings.push(
      ...accountFindings(config, survey?.accounts ?? null),
      ...slotFindings(config, survey),
      ...queueFindings(survey === null ? null : await surveyQueue(config)),
      ...historyFindings(config, survey),
    );
    findings.push(...sandboxFindings(await probeSandbox(config, hosts)));
    // Before the windows: Ollama tells that of a loaded model only.
    const tools = await toolFindings(config.models, tryModels);
    const [reach, windows] = await Promise.all([reachFindings(config.models), windowFindings(config.models)]);
    findings.push(...modelFindings(config.models), ...reach, ...tools, ...windows);
    const oidc = openOidc(config, { clock: { now: () => new Date() }, hosts });
    findings.push(...(await oidcFindings(oidc, config.publicUrl)));
    findings.push(...(await codeHostFindings(config.codehost, survey)), await mailFinding(config.notifications));
  }
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings };
}

/** Tries the sandbox. It needs a folder for its files: before the first start a temporary one, because a look creates nothing. */
async function probeSandbox(config: Config, hosts: HostResolver): Promise<SandboxProbe> {
  if (existsSync(config.workspacesDir)) return await openSandbox(config, hosts).probe();
  const workspacesDir = await mkdtemp(join(tmpdir(), 'sluice-doctor-'));
  try {
    return await openSandbox({ ...config, workspacesDir }, hosts).probe();
  } finally {
    await rm(workspacesDir, { recursive: true, force: true });
  }
}

const SUBJECT = 'history';
const MIB = 1024 ** 2;

/** The size below which there is nothing to advise. */
const MUCH = 1_024 * MIB;

/** Shorter than most wish to look back: named with what it saves, but not advised. */
const ADVISED_DAYS = 90;

/** The share of the history that a retention has to save to be advised. */
const WORTHWHILE = 0.1;

/**
 * The size of events, journals and command output, and what EVENT_RETENTION would save. @param found null if unknown
 */
export function historyFindings(
  { eventRetentionMs }: Pick<Config, 'eventRetentionMs'>,
  found: Pick<InstallationSurvey, 'history'> | null,
): Finding[] {
  const history = found?.history ?? null;
  if (history === null) return [];
  const { events, journals, commandOutput, savings } = history;
  const taken = `events take about ${mib(events)}, journals ${mib(journals)}, command output ${mib(commandOutput)}`;
  if (eventRetentionMs !== null) return [ok(SUBJECT, taken)];
  const saved = savings.map(({ days, bytes }) => `${mib(bytes)} with EVENT_RETENTION=${days}d`);
  const detail = `${taken}; deleted today would be ${saved.join(', ')}`;
  const advised = savings.find(({ days }) => days === ADVISED_DAYS)?.bytes ?? 0;
  const all = events + journals + commandOutput;
  if (all < MUCH || advised < all * WORTHWHILE) return [ok(SUBJECT, detail)];
  return [warning(SUBJECT, detail, `set EVENT_RETENTION=${ADVISED_DAYS}d, or keep it: nothing else depends on it`)];
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
