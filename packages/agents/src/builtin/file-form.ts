import type { EditForm } from './edit-operation.ts';
import { editPath } from './edit-path.ts';
import type { FencedBlock } from './markdown-blocks.ts';

/** Reads a block whose info string holds `file=PATH` (quoted where the path has spaces); null when it names none. */
export function readFileForm({ info, content, source }: FencedBlock): EditForm | null {
  const match = /(?:^|\s)file=(?:"([^"]*)"|'([^']*)'|(\S*))/.exec(info);
  if (match === null) return null;
  const checked = editPath(match[1] ?? match[2] ?? match[3] ?? '');
  if (!checked.ok) return { kind: 'refused', source, reason: checked.reason };
  return { kind: 'write', path: checked.path, content };
}
