/** A third of the usual weight, as a control group for the processor gives. */
const niceness = 5;

export interface YieldingLaunch {
  /** Files that the process writes its id to before it becomes the program: put there later, it may have forked already. */
  readonly joinFiles: readonly string[];
  /** Whether a control group lowers its share of the processor; otherwise `nice` does. */
  readonly processorGroup: boolean;
}

/**
 * A program that yields to the service: it gets less of the processor, and when the host runs out of memory the kernel ends
 * it first. Both are set before the program starts. Taking the priority back needs a privilege; so does taking back
 * oom_score_adj where the service has CAP_SYS_RESOURCE. Elsewhere /proc has to be read-only for it.
 */
export function yieldingLaunch(
  argv: readonly [string, ...string[]],
  { joinFiles, processorGroup }: YieldingLaunch,
): [string, ...string[]] {
  const script = [
    'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift',
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$@"',
  ].join('; ');
  const nice = processorGroup ? [] : ['nice', '-n', String(niceness)];
  return ['/bin/sh', '-c', script, 'sh', ...joinFiles, '--', ...nice, ...argv];
}
