import type { Journal, JournalWrite } from '@sluice/core';
import { type Conversation, NEW_CONVERSATION, withEntry } from './conversation.ts';

/** A journal and what it says, which never says more than what has been written. */
export interface ConversationRecord {
  now(): Conversation;
  write(written: JournalWrite): Promise<void>;
}

export function openRecord(journal: Journal): ConversationRecord {
  let conversation = journal.entries.reduce(withEntry, NEW_CONVERSATION);
  return {
    now: () => conversation,
    async write(written) {
      await journal.append(written);
      conversation = written.entries.reduce(withEntry, conversation);
    },
  };
}
