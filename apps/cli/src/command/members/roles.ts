// Not imported from core, so that `--help` loads no more than it shows; a test compares them.
export const ROLES = ['viewer', 'contributor', 'approver', 'admin'] as const;
