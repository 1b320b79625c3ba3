/** A group that limits the processes in it. */
export interface ControlGroup {
  /** A command's first process writes its id to these files before it becomes the command. */
  readonly joinFiles: readonly string[];
  /** How many of its processes the kernel killed for memory. */
  memoryKills(): Promise<number>;
  /** Every process in it must be dead. A group that stays busy is left to the next sweep. */
  remove(): Promise<void>;
}

export interface ControlGroupLimits {
  readonly memoryBytes: number;
  readonly processes: number;
  /** Whether a process that uses too much memory is killed without the others in the group. */
  readonly memberAlone?: boolean;
}

/** The control groups that this process may make below its own, so that a limit on the service itself still counts. */
export interface ControlGroups {
  readonly memory: boolean;
  readonly processes: boolean;
  readonly processor: boolean;
  create(limits: ControlGroupLimits): Promise<ControlGroup>;
  /** Removes groups whose service process is gone, and kills the processes left in them. */
  sweep(): Promise<void>;
}
