import type { Review } from '@sluice/core';
import { fenced } from '../role/fence.ts';
import { addedLines, changedPaths } from './diff-text.ts';
import { planText } from './plan-text.ts';

/** Credentials that are known by their look. Never quoted in a finding: findings go into events and prompts. */
const secrets: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abprs]-[\w-]{10,}/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['a Google API key', /\bAIza[\w-]{35}(?![\w-])/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a model provider key', /\bsk-(?:ant-|proj-)[\w-]{20,}/],
];

const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?: |$)/;

/** A review without a model: what can be seen by looking, not by understanding. It says so. */
export function reviewMechanically(request: string): Review {
  const planned = new Set(planText(request)?.files ?? []);
  const diff = fenced('diff', request) ?? '';
  const listed = (fenced('changed_files', request) ?? '').split('\n').filter((path) => path !== '');
  const changed = new Set([...listed, ...changedPaths(diff)]);
  const findings = [
    ...[...changed]
      .filter((path) => !planned.has(path))
      .map((path) => `${path} is changed, but the plan does not name it.`),
    ...[...planned]
      .filter((path) => !changed.has(path))
      .map((path) => `${path} is in the plan, but it is not changed.`),
    ...addedLines(diff).flatMap(({ path, line, text }) => {
      const found = secrets
        .filter(([, look]) => look.test(text))
        .map(([name]) => `${path}:${line} looks like ${name}.`);
      return CONFLICT_MARKER.test(text) ? [...found, `${path}:${line} is a conflict marker.`] : found;
    }),
  ];
  const limits =
    'Reviewed mechanically (built-in, no model): files against the plan, conflict markers, well-known secrets. Nobody has read what the code does.';
  return {
    decision: findings.length === 0 ? 'approve' : 'request_changes',
    summary:
      findings.length === 0 ? limits : `${findings.length} finding${findings.length === 1 ? '' : 's'}. ${limits}`,
    findings,
  };
}
