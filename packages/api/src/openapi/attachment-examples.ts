interface Named {
  readonly issue: string;
  readonly user: string;
  readonly at: string;
}

/** Examples of answers about attachments. */
export function attachmentExamples({ issue, user, at }: Named): Readonly<Record<string, unknown>> {
  const attachment = {
    id: '0193a5b0-9d11-7a52-8e3c-2b7f5d9c6a10',
    name: 'server.log',
    media_type: 'text/plain',
    bytes: 10,
    width: null,
    height: null,
    user_id: user,
    issue_id: null,
    created_at: at,
  };
  return {
    'attachments.upload': attachment,
    'attachments.list': { items: [{ ...attachment, issue_id: issue }] },
  };
}
