import type { GateWire, IssueWire } from '@sluice/core/issue';
import type { Gate } from '@sluice/core/pipeline';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import { renderApprovals, whyNotToApprove } from './render-approvals.ts';
import { renderFields } from './render-fields.ts';
import { renderList } from './render-list.ts';
import { renderElapsed, renderInstant } from './render-time.ts';
import { renderCost } from './render-usage.ts';
import type { View } from './view.ts';
import { wrapText } from './wrap-text.ts';

/** An issue at a gate. */
export type IssueAtGate = Pick<IssueWire, 'plan' | 'usage' | 'triage' | 'commands' | 'budget'> & {
  readonly gate: GateWire;
};

/** Renders what a person decides by, besides the plan: reasons, open questions, commands, cost and time. */
export function renderGate(issue: IssueAtGate, view: View): string {
  const { gate, triage = null, commands = null } = issue; // absent in answers of older releases
  const { style, width } = view;
  const warning: View['style'] = (format, text) => style(format === 'bold' ? ['bold', 'yellow'] : format, text);
  const questions = triage?.open_questions ?? [];
  const criteria = gate.kind === 'publish' ? (issue.plan?.acceptance_criteria ?? []) : []; // else shown with the plan
  const blocker = blockerOf(gate);
  const reasons = gate.reasons.filter((reason) => reason !== blocker); // it is among them, and shown last
  return [
    renderList({ title: 'Why this needs approval', items: reasons }, style, width),
    renderList({ title: 'Open questions (answer them with instruct)', items: questions }, warning, width),
    renderList({ title: 'Acceptance criteria', items: criteria }, style, width),
    renderFields(
      [
        ['Kind', triage === null ? null : `${triage.kind}, ${triage.risk} risk`],
        ['Setup', commandLine(commands?.setup, style)],
        ['Tests', commandLine(commands?.test, style)],
        ['Cost', renderSpent(issue)],
        ['Ahead', gate.estimate?.summary ?? null], // absent in answers of older releases
        ['Commit', gate.head_commit === null ? null : plainLine(gate.head_commit)],
        ['Approvals', renderApprovals(gate)],
        ['Yours', whyNotToApprove(gate)],
        ['Decide', gate.expires_at === null ? null : renderDeadline(gate.expires_at, view.now)],
      ],
      view,
    ),
    blocker === null
      ? ''
      : wrapText(
          `${style(['bold', 'red'], 'If you approve this plan, the issue will fail:')} ${plainText(blocker)}`,
          width,
        ),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Why the issue will fail if this plan is approved, or null. Servers of older releases do not tell. */
export function blockerOf({ blocker = null }: Gate): string | null {
  return blocker;
}

type Command = NonNullable<IssueWire['commands']>['test'];

const MINUTE = 60_000;

function commandLine(command: Command | undefined, style: View['style']): string | null {
  if (command === undefined || command === null) return null;
  const source =
    command.source === null ? '' : style('dim', `  (${command.source === 'settings' ? 'as set' : 'detected'})`);
  return `${plainLine(command.command)}${source}`;
}

/** The cost of the issue so far, and the rest of its budget. Nothing when no model was called. */
function renderSpent({ usage, budget = null }: IssueAtGate): string | null {
  const spent = renderCost(usage);
  if (spent === null) return null;
  const left = budget === null ? [] : leftOf(budget);
  return `${spent} so far${left.length === 0 ? '' : `; ${left.join(', ')} left`}`;
}

function leftOf({ cost_usd, tokens, active_ms }: NonNullable<IssueWire['budget']>): string[] {
  return [
    ...(cost_usd.left === null ? [] : [`${cost_usd.left.toFixed(2)} USD`]),
    ...(tokens.left === null ? [] : [`${tokens.left.toLocaleString('en-US')} tokens`]),
    ...(active_ms.left === null ? [] : [`${renderElapsed(active_ms.left)} of work`]),
  ];
}

function renderDeadline(at: string, now: Date): string {
  if (Date.parse(at) <= now.getTime()) return `the time for a decision is over since ${renderInstant(at)}`;
  const left = Date.parse(at) - now.getTime() + MINUTE; // rounded up: 7 days are not 6 d 23 h a second later
  return `within ${renderElapsed(left)}, until ${renderInstant(at)}; then the issue is cancelled`;
}
