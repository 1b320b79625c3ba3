import { CommandEntry } from './command-entry.tsx';
import type { EntryProps } from './entry-props.ts';
import { FilesEntry } from './files-entry.tsx';
import { MessageEntry } from './message-entry.tsx';
import { StoryEntry } from './story-entry.tsx';
import { ToolEntry } from './tool-entry.tsx';

/** An entry by its kind. */
export function EntryRow({ entry, since, isOpen }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return <MessageEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'tool':
      return <ToolEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'command':
      return <CommandEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'files':
      return <FilesEntry entry={entry} since={since} isOpen={isOpen} />;
    default:
      return <StoryEntry entry={entry} since={since} />;
  }
}
