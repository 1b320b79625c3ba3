import { type Config, ConfigError } from '../config/parse-config.ts';
import { type Finding, ok, problem } from './finding.ts';

/** What `load` makes of the configuration: the findings, and the configuration unless it has a problem. */
export function configurationFindings(load: () => Config): { config: Config | null; findings: Finding[] } {
  try {
    const config = load();
    const detail = `listens on ${config.host}:${config.port}, registration ${config.registration}`;
    return { config, findings: [ok('configuration', detail)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = 'correct it in the environment or in .env';
    return { config: null, findings: error.problems.map((text) => problem('configuration', text, mend)) };
  }
}
