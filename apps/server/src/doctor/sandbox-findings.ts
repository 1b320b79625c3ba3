import type { SandboxProbe } from '@sluice/core';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Whether the commands of repositories are held, how well, and which toolchains they see. */
export function sandboxFindings(probe: SandboxProbe): Finding[] {
  if (!probe.usable) {
    const mend = 'do what it says; until then no command of a repository is run';
    return [problem('sandbox', probe.problem ?? 'does not work', mend)];
  }
  const held =
    probe.kind === 'none'
      ? warning('sandbox', 'SANDBOX=none: commands of repositories run with your rights', 'unset SANDBOX')
      : ok('sandbox', 'bubblewrap, really tried');
  return [
    held,
    ...probe.gaps.map((gap) => warning('sandbox', gap, null)),
    ok('toolchains', ['/usr', ...probe.readPaths].join(', ')),
  ];
}
