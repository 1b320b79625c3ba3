import { InfrastructureError, sandboxFailed, type Trial } from './bench-agent.ts';

const MIB = 1_024 ** 2;
const LIMITS = {
  timeoutMs: 15 * 60_000,
  memoryBytes: 4_096 * MIB,
  processes: 512,
  fileBytes: 2_048 * MIB,
  diskBytes: 10_240 * MIB,
  outputBytes: MIB,
};

/**
 * Installs what a tree needs, with the hosts that the task names and no others.
 *
 * @throws InfrastructureError when the command fails, or the sandbox does
 */
export async function setUp(
  tree: string,
  { setupCommand, allowHosts, sandbox, signal }: Pick<Trial, 'setupCommand' | 'allowHosts' | 'sandbox' | 'signal'>,
): Promise<void> {
  if (setupCommand === null) return;
  const command = {
    command: setupCommand,
    root: tree,
    gitDir: null,
    allowHosts,
    owner: 'bench',
    limits: LIMITS,
    signal,
  };
  const { exitCode, output } = await sandbox.run(command).catch(sandboxFailed('the setup command', signal));
  if (exitCode === 0) return;
  throw new InfrastructureError(`The setup command failed (exit code ${exitCode}): ${output.slice(-500)}`);
}
