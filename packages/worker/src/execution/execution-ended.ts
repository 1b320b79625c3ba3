/** Why a drive stops before its pipeline does. In none of these cases has the stage failed. */
export type DriveEndReason = 'lease_lost' | 'not_runnable' | 'shutting_down' | 'over';

/** Thrown through a stage when its drive is over. Never leaves the worker, never becomes an event. */
export class DriveEnded extends Error {
  readonly reason: DriveEndReason;

  constructor(reason: DriveEndReason) {
    super(`The drive ended: ${reason}.`);
    this.name = 'DriveEnded';
    this.reason = reason;
  }
}
