/** What was found of one thing that the installation needs. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** The command or change that mends it. */
  readonly mend: string | null;
}

export function ok(subject: string, detail: string): Finding {
  return { subject, state: 'ok', detail, mend: null };
}

export function warning(subject: string, detail: string, mend: string | null): Finding {
  return { subject, state: 'warning', detail, mend };
}

export function problem(subject: string, detail: string, mend: string): Finding {
  return { subject, state: 'problem', detail, mend };
}
