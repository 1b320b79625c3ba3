import type { Gate } from '@sluice/core';
import type { StageRun } from './stage-context.ts';

/** When a person is asked, and until when he may answer. */
export function gateTimes({ deps, options }: StageRun): Pick<Gate, 'requested_at' | 'expires_at'> {
  const now = deps.clock.now();
  return {
    requested_at: now.toISOString(),
    expires_at: options.gateTimeoutMs === 0 ? null : new Date(now.getTime() + options.gateTimeoutMs).toISOString(),
  };
}
