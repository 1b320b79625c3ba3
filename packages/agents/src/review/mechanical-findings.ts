import type { AgentInput } from '@sluice/core/agent';
import { needsApproval, renderFinding } from '@sluice/core/change';
import { plannedFiles } from '@sluice/core/pipeline';
import { oneLine, secretsIn, withoutSecrets } from '@sluice/core/text';
import { plainPath } from '../tools/plan-scope.ts';
import { type DiffLine, diffLines, diffSections } from './diff-lines.ts';

export interface MechanicalFindings {
  /** The change cannot be approved with these, whatever the change, the issue or a model says. */
  readonly mustFix: readonly string[];
  /** For the reviewer to judge. */
  readonly toJudge: readonly string[];
  /** For the reviewer to judge, and for a person, who decides about them before the change is published. */
  readonly toConfirm: readonly string[];
}

/** The clearest traces of a conflict: `=======` alone is also a heading. */
const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;

/** Findings that need no understanding of the change. Each is one line and holds no secret. */
export function mechanicalFindings({ plan, diff, outsidePlan, findings }: AgentInput['reviewer']): MechanicalFindings {
  const lines = diffLines(diff.diff);
  // A moved line is not new to the repository.
  const before = new Set(lines.removed.map(({ text }) => text));
  const added = lines.added.filter(({ text }) => !before.has(text));
  const changed = new Set(diff.files.map(({ path }) => path));
  const planned = new Set(plannedFiles(plan).map(plainPath));
  const reasons = new Map(outsidePlan.map(({ path, reason }) => [path, reason]));
  const unplanned = [...changed].filter((path) => !planned.has(path) && (reasons.get(path) ?? null) === null);
  const unseen = diff.files.length - diffSections(diff.diff).length;
  return oneLineEach({
    mustFix: [
      ...added.flatMap(inLine),
      ...diff.files.flatMap(({ path }) => secretsIn(path).map((name) => `The name ${path} looks like ${name}.`)),
    ],
    toConfirm: findings.filter(needsApproval).map(renderFinding),
    toJudge: [
      ...findings.filter((finding) => !needsApproval(finding)).map(renderFinding),
      ...unplanned.map((path) => `${path} is changed, but the plan does not name it and no reason was given.`),
      ...[...planned]
        .filter((path) => !changed.has(path))
        .map((path) => `${path} is in the plan, but it is not changed.`),
      ...(unseen > 0
        ? [`The diff is too large to be checked completely: ${unseen} of ${diff.files.length} files are not in it.`]
        : []),
    ],
  });
}

function inLine({ path, line, text }: DiffLine): string[] {
  const found = secretsIn(text).map((name) => `${path}:${line} looks like ${name}.`);
  return CONFLICT_MARKER.test(text) ? [...found, `${path}:${line} is a conflict marker.`] : found;
}

/** A path may hold line breaks, and a secret. */
function oneLineEach({ mustFix, toJudge, toConfirm }: MechanicalFindings): MechanicalFindings {
  const plain = (finding: string) => withoutSecrets(oneLine(finding));
  return { mustFix: mustFix.map(plain), toJudge: toJudge.map(plain), toConfirm: toConfirm.map(plain) };
}
