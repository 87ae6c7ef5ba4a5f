import type { Preset } from './preset.ts'

const NOTICE = 'The row is a notice of the channel, such as a join, not a message'

/** The lines of `packed/chat-export.ts`. */
const slackExport: Preset = {
  label: 'Slack',
  has: [['id'], ['text'], ['author'], ['date'], ['channel'], ['place'], ['thread'], ['left_out']],
  columns: { id: ['id'], text: ['text'], author: ['author'], date: ['date'], thread: ['thread'] },
  place: ['place'],
  attributes: ['channel'],
  leftOut: [{ columns: ['left_out'], says: /./, why: null }],
}

/** Forums and chats. */
export const discussions: readonly Preset[] = [
  slackExport,
  {
    // The posts of one's own account (“Download my posts”), and of queries of the Data Explorer.
    label: 'Discourse',
    has: [
      ['topic_title', 'title'],
      ['post_raw', 'post_cooked'],
      ['url', 'post_url', 'created_at'],
    ],
    columns: {
      title: ['topic_title', 'title'],
      text: ['post_raw', 'post_cooked'],
      author: ['username', 'name'],
      date: ['created_at'],
      link: ['url', 'post_url'],
      id: ['post_id', 'url', 'post_url'],
    },
    html: ['post_cooked'],
  },
  {
    // A topic as JSON, and posts of the API.
    label: 'Discourse',
    has: [['cooked', 'raw'], ['post_number'], ['topic_id', 'topic_slug']],
    columns: {
      text: ['raw', 'cooked'],
      author: ['username', 'name'],
      date: ['created_at'],
      id: ['id'],
      thread: ['topic_id'],
    },
    html: ['cooked'],
    leftOut: [{ columns: ['action_code'], says: /./, why: NOTICE }],
  },
  {
    // The JSON of a chat that Telegram Desktop exports.
    label: 'Telegram',
    has: [['id'], ['type'], ['date_unixtime'], ['from', 'actor'], ['text'], ['text_entities']],
    columns: {
      text: ['text'],
      author: ['from'],
      date: ['date_unixtime', 'date'],
      id: ['id'],
      thread: ['reply_to_message_id'],
    },
    leftOut: [{ columns: ['type'], says: /^service$/, why: NOTICE }],
  },
  {
    // What DiscordChatExporter writes as CSV.
    label: 'Discord',
    has: [['author_id'], ['author'], ['date'], ['content'], ['attachments'], ['reactions']],
    columns: { text: ['content'], author: ['author'], date: ['date'] },
    leftOut: [
      {
        columns: ['content'],
        says: /^(joined the server|pinned a message|started a thread|changed the channel (name|icon)[^\n]*)\.?$/i,
        why: NOTICE,
      },
    ],
  },
  {
    // The same as JSON.
    label: 'Discord',
    has: [['id'], ['type'], ['timestamp'], ['content'], ['author_name'], ['author_is_bot', 'author_discriminator']],
    columns: {
      text: ['content'],
      author: ['author_nickname', 'author_name'],
      date: ['timestamp'],
      id: ['id'],
    },
    leftOut: [
      {
        columns: ['type'],
        says: /^(RecipientAdd|RecipientRemove|Call|Channel(Name|Icon)Change|ChannelPinnedMessage|GuildMemberJoin|ThreadCreated|\d+)$/,
        why: NOTICE,
      },
      { columns: ['author_is_bot'], says: /^true$/i, why: 'The message was written by a bot' },
    ],
  },
]
