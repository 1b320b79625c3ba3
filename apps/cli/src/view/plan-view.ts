import type { Plan } from '@sluice/core';
import { plainLine, plainText } from './plain-text.ts';
import type { Style } from './style.ts';

/** A plan as a person reads it before he decides: every operation in full, never a summary of it. */
export function renderPlan(plan: Plan, style: Style): string {
  const blocks = [
    `${style('bold', `Plan, revision ${plan.revision}`)}\n${indent(plainText(plan.summary))}`,
    ...plan.steps.map((step, index) => renderStep(step, { number: index + 1, style })),
    ...list('Done when', plan.acceptance_criteria, style),
    `${style('bold', 'Tests')}\n${indent(plainText(plan.test_strategy))}`,
    ...list('Risks', plan.risks, (format, text) => style(format === 'bold' ? ['bold', 'yellow'] : format, text)),
  ];
  if (plan.guidance !== null) blocks.push(`${style('bold', 'Your guidance')}\n${indent(plainText(plan.guidance))}`);
  return blocks.join('\n\n');
}

function renderStep(step: Plan['steps'][number], options: { number: number; style: Style }): string {
  const { number, style } = options;
  const files = step.files.length === 0 ? '' : `\n${indent(style('cyan', step.files.map(plainLine).join(', ')))}`;
  return `${style('bold', `${number}. ${plainLine(step.title)}`)}${files}\n${indent(plainText(step.detail))}`;
}

function list(title: string, items: readonly string[], style: Style): string[] {
  if (items.length === 0) return [];
  return [
    `${style('bold', title)}\n${items.map((item) => indent(`- ${plainText(item).replaceAll('\n', '\n  ')}`)).join('\n')}`,
  ];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '   ');
}
