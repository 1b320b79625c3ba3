/** A third of the default weight, the same as in the processor's control group. */
const niceness = 5;

export interface LowPriorityLaunch {
  /** Files to which the process writes its id before it executes the program: done later, it might have forked already. */
  readonly joinFiles: readonly string[];
  /** Whether a control group lowers its share of the processor; otherwise `nice` does. */
  readonly processorGroup: boolean;
}

/**
 * Runs a program with lower priority than the service: it gets less processor time, and the kernel kills it first when the
 * host runs out of memory. Both are set before the program starts. Raising the priority needs a privilege; so does lowering
 * oom_score_adj when the service has CAP_SYS_RESOURCE. Otherwise /proc must be read-only for the program.
 */
export function lowPriorityLaunch(
  argv: readonly [string, ...string[]],
  { joinFiles, processorGroup }: LowPriorityLaunch,
): [string, ...string[]] {
  const script = [
    'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift',
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$@"',
  ].join('; ');
  const nice = processorGroup ? [] : ['nice', '-n', String(niceness)];
  return ['/bin/sh', '-c', script, 'sh', ...joinFiles, '--', ...nice, ...argv];
}
