export type {
  AgentCommandResult,
  AgentContext,
  AgentInput,
  AgentOutput,
  AgentResult,
  AgentRole,
  AgentRunner,
  Journal,
} from './agent-runner.ts';
export type {
  JournalEntry,
  JournalKey,
  JournalWrite,
  Note,
  ReadingEntry,
  Said,
  ToldAbout,
} from './journal-store.ts';
export {
  type CheckpointKind,
  checkpointKinds,
  type LeftOut,
  type LogChunk,
  type LogLine,
  type RunStore,
} from './run-store.ts';
