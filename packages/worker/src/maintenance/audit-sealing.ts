import type { WorkerDeps } from '../execution/worker-deps.ts';

/** Seals the audit log from time to time. */
export interface AuditSealing {
  run(): Promise<void>;
}

const EVERY_MS = 5_000; // what is cut off before it is sealed is not found, and each seal is a row for good

export function createAuditSealing({ auditSealer, clock }: Pick<WorkerDeps, 'auditSealer' | 'clock'>): AuditSealing {
  let dueAt = 0;
  return {
    async run() {
      const now = clock.now().getTime();
      if (auditSealer === null || now < dueAt) return;
      dueAt = now + EVERY_MS;
      await auditSealer.run();
    },
  };
}
