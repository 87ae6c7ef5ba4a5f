import { gzipSync } from 'node:zlib'
import { zipOf } from '../packed/testing.ts'
import { type Case, lines } from './case.ts'

const NOTICE = 'The row is a notice of the channel, such as a join, not a message'
const BOT = 'The message was written by a bot'

/** Exports of forums and chats. Names, columns and formats are those of the products; the rows are made up. */
export const discussionExports: readonly Case[] = [
  {
    preset: 'Discourse',
    what: 'the posts of an account',
    name: 'export.csv',
    file: lines(
      'topic_title,categories,is_pm,post_raw,like_count,reply_count,url,created_at',
      'Uploads fail,Bugs,No,Files over 10 MB never finish,3,1,https://forum.example.com/t/uploads-fail/12/1,2026-10-01 08:00:00 UTC',
      'Mobile app?,Ideas,No,Is one planned,5,0,https://forum.example.com/t/mobile-app/13/1,2026-10-02 08:00:00 UTC',
    ),
    texts: ['Uploads fail\n\nFiles over 10 MB never finish', 'Mobile app?\n\nIs one planned'],
    first: { link: 'https://forum.example.com/t/uploads-fail/12/1' },
  },
  {
    preset: 'Discourse',
    what: 'a topic as JSON, without what the forum wrote itself',
    name: '12.json',
    file: JSON.stringify({
      post_stream: {
        posts: [
          {
            id: 71,
            username: 'ada',
            created_at: '2026-10-01T08:00:00Z',
            raw: 'Uploads fail',
            post_number: 1,
            topic_id: 12,
            action_code: null,
          },
          {
            id: 72,
            username: 'bo',
            created_at: '2026-10-01T09:00:00Z',
            raw: 'Here too',
            post_number: 2,
            topic_id: 12,
            action_code: null,
          },
          {
            id: 73,
            username: 'mod',
            created_at: '2026-10-01T10:00:00Z',
            raw: 'closed',
            post_number: 3,
            topic_id: 12,
            action_code: 'closed.enabled',
          },
        ],
      },
      id: 12,
      title: 'Uploads',
    }),
    texts: ['Uploads fail', 'Here too'],
    first: { externalId: '71', author: 'ada', thread: '12' },
    problems: [NOTICE],
  },
  {
    preset: 'Slack',
    what: 'an export of a workspace, without joins and bots',
    name: 'export.zip',
    file: zipOf({
      'channels.json': JSON.stringify([{ id: 'C01', name: 'feedback' }]),
      'users.json': JSON.stringify([
        { id: 'U01', name: 'ada', profile: { display_name: 'Ada' } },
        { id: 'U02', name: 'bo', profile: { display_name: '', real_name: 'Bo Berg' } },
      ]),
      'feedback/2026-10-01.json': JSON.stringify([
        { type: 'message', subtype: 'channel_join', ts: '1790841000.000100', user: 'U01', text: '<@U01> has joined' },
        { type: 'message', ts: '1790841600.000200', user: 'U01', text: 'The export &amp; the import fail' },
        { type: 'message', subtype: 'bot_message', bot_id: 'B01', ts: '1790841700.000300', text: 'Reminder' },
      ]),
      'feedback/2026-10-02.json': JSON.stringify([
        { type: 'message', ts: '1790928000.000100', user: 'U02', text: 'Same as <@U01>' },
      ]),
    }),
    texts: ['The export & the import fail', 'Same as @Ada'],
    first: { author: 'Ada', at: new Date('2026-10-01T08:00:00.000Z'), place: '#feedback' },
    problems: [NOTICE, BOT],
  },
  {
    preset: 'Slack',
    what: 'one day of a channel, taken out of its export',
    name: '2026-10-01.json',
    file: JSON.stringify(
      [
        { type: 'message', subtype: 'channel_join', ts: '1790841000.000100', user: 'U01', text: '<@U01> has joined' },
        {
          type: 'message',
          ts: '1790841600.000200',
          user: 'U01',
          text: 'The export &amp; the import fail',
          user_profile: { real_name: 'Ada' },
        },
        { type: 'message', subtype: 'bot_message', bot_id: 'B01', ts: '1790841700.000300', text: 'Reminder' },
        { type: 'message', ts: '1790841800.000100', user: 'U02', text: 'Same as &lt;@U01&gt;, <@U01>' },
      ],
      null,
      4,
    ),
    texts: ['The export & the import fail', 'Same as <@U01>, @Ada'],
    first: { author: 'Ada', at: new Date('2026-10-01T08:00:00.000Z') },
    problems: [NOTICE, BOT],
  },
  {
    preset: 'Slack',
    what: 'one day of a channel, packed by gzip',
    name: '2026-10-01.json.gz',
    file: gzipSync(
      JSON.stringify([
        { type: 'message', subtype: 'channel_join', ts: '1790841000.000100', user: 'U01', text: '<@U01> has joined' },
        { type: 'message', ts: '1790841600.000200', user: 'U01', text: 'The export &amp; the import fail' },
      ]),
    ),
    texts: ['The export & the import fail'],
    first: { author: 'U01', at: new Date('2026-10-01T08:00:00.000Z') },
    problems: [NOTICE],
  },
  {
    preset: 'Slack',
    what: 'the days of a channel, without the rest of its export',
    name: 'feedback.zip',
    file: zipOf({
      'feedback/2026-10-01.json': JSON.stringify([
        {
          type: 'message',
          ts: '1790841600.000200',
          user: 'U01',
          text: 'The export fails',
          user_profile: { real_name: 'Ada' },
        },
      ]),
      'feedback/2026-10-02.json': JSON.stringify([
        { type: 'message', ts: '1790928000.000100', user: 'U01', text: 'It still fails' },
      ]),
    }),
    texts: ['The export fails', 'It still fails'],
    first: { author: 'Ada', at: new Date('2026-10-01T08:00:00.000Z'), place: '#feedback' },
  },
  {
    preset: 'Discord',
    what: 'joins are no messages',
    name: 'export.csv',
    file: lines(
      'AuthorID,Author,Date,Content,Attachments,Reactions',
      '901,ada,2026-10-01T08:00:00.0000000+00:00,Joined the server.,,',
      '901,ada,2026-10-01T08:01:00.0000000+00:00,The overlay crashes my game,,',
    ),
    texts: ['The overlay crashes my game'],
    first: { author: 'ada', at: new Date('2026-10-01T08:01:00Z') },
    problems: [NOTICE],
  },
  {
    preset: 'Discord',
    what: 'as JSON, without joins and bots',
    name: 'chat.json',
    file: JSON.stringify({
      guild: { id: '1', name: 'Game' },
      channel: { id: '2', name: 'feedback' },
      messages: [
        {
          id: '1001',
          type: 'GuildMemberJoin',
          timestamp: '2026-10-01T08:00:00+00:00',
          content: 'Joined the server.',
          author: { id: '901', name: 'ada', nickname: 'Ada', isBot: false },
        },
        {
          id: '1002',
          type: 'Default',
          timestamp: '2026-10-01T08:01:00+00:00',
          content: 'The overlay crashes my game',
          author: { id: '901', name: 'ada', nickname: 'Ada', isBot: false },
        },
        {
          id: '1003',
          type: 'Reply',
          timestamp: '2026-10-01T08:02:00+00:00',
          content: 'For me too',
          author: { id: '902', name: 'bo', nickname: 'Bo', isBot: false },
        },
        {
          id: '1004',
          type: 'Default',
          timestamp: '2026-10-01T08:03:00+00:00',
          content: 'Welcome! Read the rules',
          author: { id: '903', name: 'helper', nickname: 'Helper', isBot: true },
        },
      ],
    }),
    texts: ['The overlay crashes my game', 'For me too'],
    first: { externalId: '1002', author: 'Ada' },
    problems: [NOTICE, BOT],
  },
  {
    preset: 'Telegram',
    what: 'a chat as JSON, without joins, and texts in parts',
    name: 'result.json',
    file: JSON.stringify({
      name: 'Feedback',
      type: 'private_supergroup',
      id: 7,
      messages: [
        {
          id: 1,
          type: 'service',
          date: '2026-10-01T08:00:00',
          date_unixtime: '1790841600',
          actor: 'Ada',
          action: 'join',
          text: '',
          text_entities: [],
        },
        {
          id: 2,
          type: 'message',
          date: '2026-10-01T10:01:00',
          date_unixtime: '1790841660',
          from: 'Ada',
          from_id: 'user1',
          text: ['The map ', { type: 'bold', text: 'never' }, ' loads on trains'],
          text_entities: [{ type: 'plain', text: 'The map ' }],
        },
        {
          id: 3,
          type: 'message',
          date: '2026-10-01T10:02:00',
          date_unixtime: '1790841720',
          from: 'Bo',
          from_id: 'user2',
          reply_to_message_id: 2,
          text: 'No map without a signal',
          text_entities: [{ type: 'plain', text: 'No map without a signal' }],
        },
      ],
    }),
    texts: ['The map never loads on trains', 'No map without a signal'],
    first: { externalId: '2', author: 'Ada', at: new Date('2026-10-01T08:01:00Z') },
    problems: [NOTICE],
  },
  {
    what: 'a chat that an iPhone exported, without notices and media',
    name: '_chat.txt',
    file: lines(
      '[01.10.26, 08:00:00] Trip: \u200eMessages and calls are end-to-end encrypted.',
      '[01.10.26, 08:15:11] Ada: The shuttle leaves too early',
      'and nobody tells us',
      '[13.10.26, 08:16:40] ~ Bo: Shuttle left before eight again',
      '\u200e[13.10.26, 08:17:02] Ada: \u200eimage omitted',
    ),
    preset: null,
    texts: ['The shuttle leaves too early\nand nobody tells us', 'Shuttle left before eight again'],
    first: { author: 'Ada', at: new Date('2026-10-01T08:15:11Z') },
  },
  {
    what: 'a chat that Android exported, without notices and media',
    name: 'WhatsApp Chat with Trip.txt',
    file: lines(
      '10/1/26, 8:00\u202fAM - Messages and calls are end-to-end encrypted. Tap to learn more.',
      '10/1/26, 8:15\u202fAM - Ada: The shuttle leaves too early: at 7',
      '10/13/26, 8:16\u202fPM - Bo: Shuttle left before eight again',
      '10/13/26, 8:17\u202fPM - Ada: <Media omitted>',
      '10/13/26, 8:18\u202fPM - Ada added Cy',
    ),
    preset: null,
    texts: ['The shuttle leaves too early: at 7', 'Shuttle left before eight again'],
    first: { author: 'Ada', at: new Date('2026-10-01T08:15:00Z') },
  },
]
