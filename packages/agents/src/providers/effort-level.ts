/** The words for how much a model thinks, from nothing to everything. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Effort = (typeof efforts)[number];

/** A level at which a model does think. */
export type Level = Exclude<Effort, 'none'>;

/** The nearest of the levels that a family has; of two that are equally near, the one that thinks more. */
export function nearestLevel(wanted: Effort, levels: readonly [Level, ...Level[]]): Level {
  const distance = (level: Level) => Math.abs(efforts.indexOf(level) - efforts.indexOf(wanted));
  return levels.reduce((best, level) => (distance(level) <= distance(best) ? level : best));
}
