import type { BuildNews } from '@sluice/core/code-host';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';

const SHORT_COMMIT = 10;

const HEAD = {
  pending: ['dim', 'not finished'],
  success: ['green', 'passed'],
  failure: ['red', 'failed'],
  cancelled: ['yellow', 'was cancelled'],
} as const satisfies Record<BuildNews['verdict'], readonly [string, string]>;

/** Renders what is known of the build of a pull request, on one line. */
export function renderBuild(build: BuildNews, style: Style): string {
  const { verdict, commit, failed, also_failing_at_base: atBase, optional_failed: optional, given_up } = build;
  const [colour, head] = HEAD[verdict];
  return [
    `${style(colour, head)} at ${commit.slice(0, SHORT_COMMIT)}${failed.length === 0 ? '' : `: ${names(failed)}`}`,
    ...(atBase.length === 0 ? [] : [`the base branch fails too: ${names(atBase)}`]),
    ...(optional.length === 0 ? [] : [`failed, but not required: ${names(optional)}`]),
    ...(given_up === true ? ['fixing it was given up'] : []),
    ...(verdict === 'failure' ? [plainLine(build.url)] : []),
  ].join('; ');
}

function names(all: readonly string[]): string {
  return all.map(plainLine).join(', ');
}
