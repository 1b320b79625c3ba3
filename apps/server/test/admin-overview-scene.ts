import type { HttpSession } from './http-session.ts';

interface Overview {
  readonly slots: readonly {
    readonly number: number;
    readonly holder: { readonly issue_id: string; readonly worker_id: string | null } | null;
  }[];
  readonly workers: readonly {
    readonly id: string;
    readonly pid: number;
    readonly state: string;
    readonly sandbox: { readonly kind: string; readonly gaps: readonly string[] } | null;
  }[];
  readonly configuration: readonly { readonly name: string; readonly value: string | null }[];
}

export const overviewOf = (operator: HttpSession) => operator.call<Overview>('GET', '/api/admin/overview');
