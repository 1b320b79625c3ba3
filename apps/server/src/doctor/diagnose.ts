import { openSandbox } from '../compose/open-sandbox.ts';
import { surveyStorage } from '../compose/survey-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { accountFindings } from './account-findings.ts';
import { codehostFindings } from './codehost-findings.ts';
import { configurationFindings } from './configuration-findings.ts';
import { type Finding, ok } from './finding.ts';
import { dataFolderFinding, workspacesFinding } from './folder-finding.ts';
import { gitFinding } from './git-finding.ts';
import { modelFindings } from './model-findings.ts';
import { reachFindings } from './reach-findings.ts';
import { sandboxFindings } from './sandbox-findings.ts';
import { slotFindings } from './slot-findings.ts';

export interface Diagnosis {
  /** No finding is a problem. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

/** Looks at all that this installation needs, and says how to mend what is missing. */
export async function diagnose(options: LoadConfigOptions = {}): Promise<Diagnosis> {
  const { config, findings: configured } = configurationFindings(() => loadConfig(options));
  const findings = [ok('node', process.version), await gitFinding(), ...configured];
  if (config !== null) {
    findings.push(await dataFolderFinding(config.dataDir), await workspacesFinding(config));
    const survey = await surveyStorage(config);
    findings.push(...accountFindings(config, survey?.accounts ?? null), ...slotFindings(config, survey));
    findings.push(...sandboxFindings(await openSandbox(config).probe()));
    findings.push(...modelFindings(config.models), ...(await reachFindings(config.models)));
    findings.push(...(await codehostFindings(config.codehost)));
  }
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings };
}
