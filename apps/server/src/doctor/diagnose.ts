import { surveyStorage } from '../compose/admin-storage.ts';
import { openSandbox } from '../compose/open-sandbox.ts';
import { ignoredDotEnvNote, type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { accountFindings } from './account-findings.ts';
import { codeHostFindings } from './code-host-findings.ts';
import { type Finding, ok, warning } from './finding.ts';
import { dataFolderFinding, workspacesFinding } from './folder-finding.ts';
import { historyFindings } from './history-findings.ts';
import { configurationFindings, gitFinding, sandboxFindings } from './host-findings.ts';
import { modelFindings, reachFindings } from './model-findings.ts';
import { slotFindings } from './slot-findings.ts';

export interface Diagnosis {
  /** No finding is a problem. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

/** Checks everything that this installation needs, and how to fix each problem. */
export async function diagnose(options: LoadConfigOptions = {}): Promise<Diagnosis> {
  const { config, findings: configured } = configurationFindings(() => loadConfig(options));
  const findings = [ok('node', process.version), await gitFinding(), ...configured];
  if (config !== null) {
    const note = ignoredDotEnvNote(options);
    if (note !== null) findings.push(warning('configuration', note, null));
    findings.push(await dataFolderFinding(config.dataDir), await workspacesFinding(config));
    const survey = await surveyStorage(config);
    findings.push(
      ...accountFindings(config, survey?.accounts ?? null),
      ...slotFindings(config, survey),
      ...historyFindings(config, survey),
    );
    findings.push(...sandboxFindings(await openSandbox(config).probe()));
    findings.push(...modelFindings(config.models), ...(await reachFindings(config.models)));
    findings.push(...(await codeHostFindings(config.codehost)));
  }
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings };
}
