import type { Issue } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { type IssueFile, issueFiles } from './issue-files.ts';
import { saveFile } from './save-file.ts';

const SHORT_ID = 8;

/** Reads a file of an issue to its end and gives it to the user. */
export function useDownload({ id }: Pick<Issue, 'id'>) {
  return useMutation({
    mutationFn: async (file: IssueFile) => {
      const { read, ending } = issueFiles[file];
      saveFile(`issue-${id.slice(-SHORT_ID)}.${ending}`, await read(id));
    },
  });
}
