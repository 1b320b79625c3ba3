import type { Style } from '../terminal/style.ts';

/** How something is rendered: with which colours, to how many columns, and at which time. */
export interface View {
  readonly style: Style;
  readonly width: number;
  readonly now: Date;
}
