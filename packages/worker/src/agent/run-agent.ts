import type { AgentCommandResult, AgentContext, AgentInput, AgentResult, AgentRole } from '@sluice/core/agent';
import { type AttachmentStore, isPictureType } from '@sluice/core/attachment';
import type { AttachmentId, IssueId } from '@sluice/core/id';
import type { Workspace } from '@sluice/core/workspace';
import { type CommandPorts, type CommandRun, runCommand } from '../command/run-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { type JournalPorts, openJournal } from './open-journal.ts';

export type AgentPorts = 'agents' | 'attachments' | 'codeIndex' | JournalPorts | CommandPorts;

/** Runs a role in this stage. It continues from the journal of the round. */
export async function runAgent<R extends AgentRole>(
  stage: StageContext<AgentPorts>,
  role: R,
  work: { readonly input: AgentInput[R]; readonly onToolResult?: () => void },
): Promise<AgentResult<R>> {
  const { deps, options, execution, signal, draining, live, budget } = stage;
  const workspace = await stage.workspace();
  const beforeCall = () => stage.beforeModelCall();
  return deps.agents.run(role, work.input, {
    workspace,
    journal: await openJournal(stage, role, work.onToolResult),
    signal,
    async checkIn() {
      // Everything done so far is in the journal here, so the next worker repeats none of it.
      if (draining.aborted) execution.end('shutting_down');
      execution.signal.throwIfAborted();
      await budget.warn();
      budget.check();
      return deps.runs.notes(execution.issue().id);
    },
    attachments: openAttachments(deps.attachments, execution.issue().id),
    said: () => deps.runs.said(execution.issue().id),
    limitUse: () => budget.use(),
    beforeModelCall: beforeCall,
    // The other roles only read.
    checkpoint: async () => (role === 'coder' ? workspace.checkpoint(signal) : null),
    search: (query, limit) => deps.codeIndex.search(workspace.repoId, { query, limit, beforeCall }, signal),
    outline: (file) => deps.codeIndex.outline(file),
    syntaxFaults: (file) => deps.codeIndex.syntaxFaults(file),
    async runCommand({ command, timeoutMs }) {
      const limits = options.sandboxLimits.agent;
      const own = { ...limits, timeoutMs: Math.min(timeoutMs, limits.timeoutMs) };
      const result = await runAgentCommand(stage, { command, workspace, limits: own, allowHosts: [] });
      return { ...result, output: withoutHostPaths(result.output, workspace) };
    },
    live: (event) => live.add(event),
  });
}

/** The attachments of an issue. The contents are kept while the agent works: each request to a model has those of the pictures. */
function openAttachments(
  attachments: Pick<AttachmentStore, 'ofIssue' | 'content'>,
  issueId: IssueId,
): NonNullable<AgentContext['attachments']> {
  const contents = new Map<AttachmentId, Uint8Array | null>();
  return {
    list: () => attachments.ofIssue(issueId),
    async content(id) {
      const known = contents.get(id as AttachmentId);
      if (known !== undefined) return known;
      const own = (await attachments.ofIssue(issueId)).find((one) => one.id === id);
      if (own === undefined) return null;
      const content = await attachments.content(own.id);
      if (isPictureType(own.mediaType)) contents.set(own.id, content);
      return content;
    },
  };
}

/** Stands for the host's own folders in what an agent reads. */
const REPOSITORY = '<repository>';

/** The output of a command without the paths of this host, which git puts into its messages. */
export function withoutHostPaths(output: string, { root, gitDir }: Pick<Workspace, 'root' | 'gitDir'>): string {
  // A working tree's own part lies in `worktrees` of the git directory that all issues share.
  const [shared = gitDir] = gitDir.split('/worktrees/');
  return output
    .replaceAll(shared, REPOSITORY)
    .replaceAll(/<repository>\/worktrees\/[^/\s'"]+/g, REPOSITORY)
    .replaceAll(root, REPOSITORY);
}

const NOTES_EVERY_MS = 1_000; // one indexed read; a person sees within a second that the command was stopped

/**
 * Runs a command of an agent. When a person writes a note meanwhile, or has written one that the agent has not read, it is
 * stopped or not started, so that the agent reads the note at once.
 *
 * @returns with `endedBy: 'note'` and the output so far when a note stopped it, `unread_note` when it was not started
 * @throws what `runCommand` throws
 */
async function runAgentCommand(
  stage: StageContext<CommandPorts>,
  request: Omit<CommandRun, 'signal' | 'onOutput'>,
): Promise<AgentCommandResult> {
  const { deps, execution, signal } = stage;
  const noted = new AbortController();
  const began = deps.timers.now();
  const shown = openOutput(request.limits.outputBytes);
  const look = async () => {
    try {
      const notes = await deps.runs.notes(execution.issue().id);
      if (notes.length > 0) noted.abort();
    } catch (error) {
      deps.log.warn({ err: error, issueId: execution.issue().id }, 'could not look for notes');
    }
  };
  const stopLooking = deps.timers.every(NOTES_EVERY_MS, () => void look());
  try {
    await look();
    if (noted.signal.aborted)
      return { exitCode: null, endedBy: 'unread_note', output: '', truncated: false, durationMs: 0 };
    const stop = AbortSignal.any([signal, noted.signal]);
    return await runCommand(stage, { ...request, signal: stop, onOutput: shown.add });
  } catch (error) {
    if (!noted.signal.aborted || signal.aborted || error !== noted.signal.reason) throw error;
    const durationMs = Math.round(deps.timers.now() - began);
    return { exitCode: null, endedBy: 'note', ...shown.end(), durationMs };
  } finally {
    stopLooking();
  }
}

/** The end of a command's output, of at most so many characters. */
function openOutput(limit: number) {
  let output = '';
  let truncated = false;
  return {
    add(text: string): void {
      const all = output + text;
      truncated ||= all.length > limit;
      output = all.slice(-limit);
    },
    end: () => ({ output: output.toWellFormed(), truncated }),
  };
}
