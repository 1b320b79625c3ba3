import type { Issue } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { fileName, saveFile } from '../ui/save-file.ts';
import { type IssueFile, issueFiles } from './issue-files.ts';

/** Reads a file of an issue to its end and gives it to the user. */
export function useDownload({ id }: Pick<Issue, 'id'>) {
  return useMutation({
    mutationFn: async (file: IssueFile) => {
      const { read, ending } = issueFiles[file];
      saveFile(fileName(id, ending), await read(id));
    },
  });
}
