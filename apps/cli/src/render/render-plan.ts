import type { Plan } from '@sluice/core/pipeline';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderList } from './render-list.ts';
import { wrapText } from './wrap-text.ts';

const INDENT = '   ';

/** Renders a plan for the decision on it: every operation in full, never summarized. */
export function renderPlan(plan: Plan, style: Style, width: number): string {
  const prose = (title: string, text: string) =>
    `${style('bold', title)}\n${indent(wrapText(plainText(text), width - INDENT.length))}`;
  const warning: Style = (format, text) => style(format === 'bold' ? ['bold', 'yellow'] : format, text);
  return [
    prose(`Plan, revision ${plan.revision}`, plan.summary),
    ...plan.steps.map((step, index) => renderStep(step, { number: index + 1, style })),
    renderList({ title: 'Done when', items: plan.acceptance_criteria }, style, width),
    prose('Tests', plan.test_strategy),
    renderList({ title: 'Risks', items: plan.risks }, warning, width),
    plan.guidance === null ? '' : prose('Your guidance', plan.guidance),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Renders a step. Its lines are not wrapped, because an edit is applied exactly as it is written. */
function renderStep(step: Plan['steps'][number], options: { number: number; style: Style }): string {
  const { number, style } = options;
  const files = step.files.length === 0 ? '' : `\n${indent(style('cyan', step.files.map(plainLine).join(', ')))}`;
  return `${style('bold', `${number}. ${plainLine(step.title)}`)}${files}\n${indent(plainText(step.detail))}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}
