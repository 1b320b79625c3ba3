/** What the attacker does at the same time. */
export const attackNames = ['setup', 'tests', 'tree-bomb', 'blob-bomb', 'bodies', 'patches', 'streams'] as const;

export type AttackName = (typeof attackNames)[number];

/** What the attacker's process is given to begin with. */
export interface AttackOrder {
  readonly url: string;
  readonly attacks: readonly AttackName[];
  readonly treeBomb: string;
  readonly blobBomb: string;
  /** How long the attack lasts; the issues that an hour allows are spread over it. */
  readonly milliseconds: number;
}

/** The events that an attack reports. */
export type AttackNews =
  | { readonly kind: 'began' | 'ended'; readonly attack: string; readonly fillsDisk: boolean }
  | { readonly kind: 'over'; readonly counts: Readonly<Record<string, number>> };
