/** The result of one check. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** The command or change that fixes it. */
  readonly fix: string | null;
}

export function ok(subject: string, detail: string): Finding {
  return { subject, state: 'ok', detail, fix: null };
}

export function warning(subject: string, detail: string, fix: string | null): Finding {
  return { subject, state: 'warning', detail, fix };
}

export function problem(subject: string, detail: string, fix: string): Finding {
  return { subject, state: 'problem', detail, fix };
}
