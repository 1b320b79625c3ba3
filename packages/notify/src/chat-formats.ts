import type { NotificationFormat } from '@sluice/core/notification';

/** How a placeholder is written so that its text stays text. */
export type Escape = 'code' | 'slackCode' | 'html' | 'plain';

/**
 * Lines of a text with `{{placeholders}}` for the members of `NotificationText`. A line is left out where one of them is
 * empty.
 */
export interface Lines {
  readonly lines: readonly string[];
  readonly separator: string;
  readonly escape: Escape;
}

/** The body of a message to a chat. */
export interface ChatFormat {
  readonly headers: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, Lines>>;
  /** JSON in which each text of `texts` stands for its placeholder; or the name of the text that is the body. */
  readonly body: Readonly<Record<string, unknown>> | string;
}

const json = { 'content-type': 'application/json' };

// Text by others stands in code spans: there chats find neither links nor mentions.
const markdown: Lines = {
  lines: ['**{{headline}}**', '`{{title}}` in `{{repo}}`', '`{{detail}}`', '[Open in Sluice]({{url}})'],
  separator: '\n',
  escape: 'code',
};
const slack: Lines = {
  lines: ['*{{headline}}*', '`{{title}}` in `{{repo}}`', '`{{detail}}`', '<{{url}}|Open in Sluice>'],
  separator: '\n',
  escape: 'slackCode',
};
const plain: Lines = {
  lines: ['{{headline}}', '{{title}} in {{repo}}', '{{detail}}', '{{url}}'],
  separator: '\n',
  escape: 'plain',
};
const html: Lines = {
  lines: [
    '<strong>{{headline}}</strong>',
    '<code>{{title}}</code> in <code>{{repo}}</code>',
    '<code>{{detail}}</code>',
    '<a href="{{url}}">Open in Sluice</a>',
  ],
  separator: '<br>',
  escape: 'html',
};

/** The chats as data. To support another one, add its entry here and its name to `notificationFormats`. */
export const chatFormats: Readonly<Record<Exclude<NotificationFormat, 'standard'>, ChatFormat>> = {
  // Incoming webhooks. Previews of links are off: the console asks for a login.
  slack: {
    headers: json,
    texts: { text: slack },
    body: { text: '{{text}}', unfurl_links: false, unfurl_media: false },
  },
  mattermost: { headers: json, texts: { text: markdown }, body: { text: '{{text}}' } },
  // The generic webhook of matrix-hookshot.
  matrix: { headers: json, texts: { text: plain, html }, body: { text: '{{text}}', html: '{{html}}' } },
  // 4: no previews of links.
  discord: {
    headers: json,
    texts: { text: markdown },
    body: { content: '{{text}}', allowed_mentions: { parse: [] }, flags: 4 },
  },
  // Publishing to the URL of a topic.
  ntfy: {
    headers: { 'content-type': 'text/plain; charset=utf-8', title: 'Sluice', click: '{{url}}' },
    texts: { text: { ...plain, lines: plain.lines.slice(0, -1) } },
    body: 'text',
  },
};
