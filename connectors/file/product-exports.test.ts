import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

type Export = {
  product: string
  what: string
  name?: string
  file: string
  texts: string[]
  /** Of the first message. */
  first: Record<string, unknown>
}

const lines = (...all: string[]) => all.join('\n')

const exports: Export[] = [
  {
    product: 'Jira',
    what: 'several columns of comments, which are the team’s',
    file: lines(
      'Summary,Issue key,Issue id,Issue Type,Status,Project key,Reporter,Created,Description,Labels,Labels,Comment,Comment',
      'Voucher is ignored,SHOP-1,101,Bug,To Do,SHOP,ada,01/Oct/26 9:10 AM,The total stays the same,a,b,"01/Oct/26 9:30 AM;bo;Thank you for the long and detailed report, we will look into it as soon as we can",',
      'Pins overlap,SHOP-2,102,Bug,To Do,SHOP,cy,02/Oct/26 9:11 AM,,a,,"02/Oct/26 9:30 AM;bo;Thank you, we will look into it and come back to you with an answer","03/Oct/26 8:00 AM;bo;It is planned for the next release"',
    ),
    texts: ['Voucher is ignored\n\nThe total stays the same', 'Pins overlap'],
    first: { externalId: 'SHOP-1', author: 'ada', at: new Date('2026-10-01T09:10:00Z') },
  },
  {
    product: 'Jira',
    what: 'no column of descriptions',
    file: lines(
      'Summary,Issue key,Issue Type,Reporter,Created,Comment',
      'Voucher is ignored,SHOP-1,Bug,ada,01/Oct/26 9:10 AM,"01/Oct/26 9:30 AM;bo;Thank you for the long and detailed report"',
    ),
    texts: ['Voucher is ignored'],
    first: { externalId: 'SHOP-1' },
  },
  {
    product: 'Linear',
    what: 'empty descriptions',
    file: lines(
      'ID,Team,Title,Description,Status,Estimate,Priority,Project ID,Project,Creator,Assignee,Labels,Cycle Number,Created,Updated',
      'APP-1,App,Log in button does nothing,,Todo,,High,,,ada@example.com,dev@example.com,Bug,,Tue Oct 06 2026 08:01:12 GMT+0000 (GMT),Wed Oct 07 2026 08:01:12 GMT+0000 (GMT)',
      'APP-2,App,Log in button is dead,Nothing happens when I click it,Todo,,High,,,bo@example.com,,Bug,,2026-10-07T08:01:12.000Z,2026-10-07T08:01:12.000Z',
      'APP-3,App,Cannot log in,,Todo,,High,,,cy@example.com,,,,2026-10-08T08:01:12.000Z,2026-10-08T08:01:12.000Z',
    ),
    texts: ['Log in button does nothing', 'Log in button is dead\n\nNothing happens when I click it', 'Cannot log in'],
    first: { externalId: 'APP-1', author: 'ada@example.com', at: new Date('2026-10-06T08:01:12Z') },
  },
  {
    product: 'Trello',
    what: 'cards with and without a description',
    file: lines(
      'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Vote Count,Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived',
      '6f01,Offline mode,https://trello.com/c/a1,I am on trains a lot,idea,,,3,0,2026-10-01T10:00:00.000Z,6e01,Ideas,6d01,Feedback,false',
      '6f02,Widget for the home screen,https://trello.com/c/a2,,idea,,,1,0,2026-10-02T10:00:00.000Z,6e01,Ideas,6d01,Feedback,false',
    ),
    texts: ['Offline mode\n\nI am on trains a lot', 'Widget for the home screen'],
    first: { externalId: '6f01', link: 'https://trello.com/c/a1', author: null },
  },
  {
    product: 'Trello',
    what: 'a board as JSON',
    name: 'board.json',
    file: JSON.stringify({
      id: '6d01',
      name: 'Feedback',
      desc: '',
      cards: [
        {
          id: '6f01',
          name: 'Offline mode',
          desc: 'I am on trains a lot',
          shortUrl: 'https://trello.com/c/a1',
          idList: '6e01',
          dateLastActivity: '2026-10-01T10:00:00.000Z',
        },
        {
          id: '6f02',
          name: 'Widget',
          desc: '',
          shortUrl: 'https://trello.com/c/a2',
          idList: '6e01',
          dateLastActivity: '2026-10-02T10:00:00.000Z',
        },
      ],
      lists: [{ id: '6e01', name: 'Ideas' }],
    }),
    texts: ['Offline mode\n\nI am on trains a lot', 'Widget'],
    first: { externalId: '6f01', link: 'https://trello.com/c/a1' },
  },
  {
    product: 'Asana',
    what: 'the assignee is not the author',
    file: lines(
      'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task',
      '120701,2026-10-01,,2026-10-05,Export to PDF,Requests,Bo Team,bo@team.example,,,,Our auditors want a PDF,Feedback,',
      '120702,2026-10-02,,2026-10-05,Import from CSV,Requests,Bo Team,bo@team.example,,,,,Feedback,',
    ),
    texts: ['Export to PDF\n\nOur auditors want a PDF', 'Import from CSV'],
    first: { externalId: '120701', author: null, at: new Date('2026-10-01T00:00:00Z') },
  },
  {
    product: 'Notion',
    what: 'a database with columns of its own',
    file: lines(
      'Name,Created time,Created by,Status,Tags,What they said',
      'Faster search,"October 6, 2026 8:01 AM",Ada,New,search,I wait ten seconds for each result',
      'Keyboard shortcuts,"October 7, 2026 9:30 PM",Bo,New,ui,',
    ),
    texts: ['Faster search\n\nI wait ten seconds for each result', 'Keyboard shortcuts'],
    first: { author: 'Ada', at: new Date('2026-10-06T08:01:00Z') },
  },
  {
    product: 'Notion',
    what: 'a database of titles',
    file: lines(
      'Name,Created time,Status',
      'Search is slow on large boards,"October 6, 2026 8:01 AM",New',
      'Search is too slow,"October 7, 2026 9:30 PM",New',
    ),
    texts: ['Search is slow on large boards', 'Search is too slow'],
    first: { author: null },
  },
  {
    product: 'Canny',
    what: 'posts with votes',
    file: lines(
      'Board,Category,Title,Details,Status,Owner,Author Name,Author Email,Created,Votes,URL',
      'Ideas,Billing,Pay by invoice,Our company cannot use cards,open,Bo,Ada,ada@example.com,2026-10-01T08:00:00Z,12,https://x.canny.io/p/pay-by-invoice',
      'Ideas,Billing,Yearly plan,,open,Bo,Cy,cy@example.com,2026-10-02T08:00:00Z,3,https://x.canny.io/p/yearly-plan',
    ),
    texts: ['Pay by invoice\n\nOur company cannot use cards', 'Yearly plan'],
    first: { author: 'Ada', externalId: 'https://x.canny.io/p/pay-by-invoice' },
  },
  {
    product: 'Productboard',
    what: 'notes, whose owner is a colleague',
    file: lines(
      'id,title,content,display_url,user_email,company_name,owner_email,tags,state,created_at',
      'n-1,Call with Acme,They need single sign-on,https://crm.example.com/1,ada@acme.example,Acme,bo@team.example,sso,processed,2026-10-01T08:00:00Z',
      'n-2,Roles for auditors,,,cy@acme.example,Acme,bo@team.example,,unprocessed,2026-10-02T08:00:00Z',
    ),
    texts: ['Call with Acme\n\nThey need single sign-on', 'Roles for auditors'],
    first: { externalId: 'n-1', author: 'ada@acme.example', attributes: { organisation: 'Acme' } },
  },
  {
    product: 'Trustpilot',
    what: 'the company’s reply in the same row',
    file: lines(
      'Review Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars,Review Company Reply,Company Reply Date (UTC),Tags',
      'r1,2026-10-01T08:00:00Z,Ada,Slow claim,Four months until it was paid,1,"Hello Ada, we are very sorry that your claim took such a long time and have paid it today",2026-10-02,',
      'r2,2026-10-02T08:00:00Z,Bo,Never paid,,1,,,',
    ),
    texts: ['Slow claim\n\nFour months until it was paid', 'Never paid'],
    first: { externalId: 'r1', author: 'Ada', attributes: { rating: '1' } },
  },
  {
    product: 'Trustpilot',
    what: 'as tools read it from the page',
    file: lines(
      'id,filtered,pending,text,rating,title,likes,experienced,published,source',
      'e1,FALSE,FALSE,It took four months,1,Slow claim,0,2026-09-01T00:00:00.000Z,2026-10-01T20:58:35.000Z,https://www.trustpilot.com/review/example.com?page=8',
      'e2,FALSE,FALSE,,1,Never paid,0,2026-09-02T00:00:00.000Z,2026-10-02T20:58:35.000Z,https://www.trustpilot.com/review/example.com?page=8',
    ),
    texts: ['Slow claim\n\nIt took four months', 'Never paid'],
    first: { externalId: 'e1', link: null, at: new Date('2026-10-01T20:58:35Z'), attributes: { rating: '1' } },
  },
  {
    product: 'G2',
    what: 'what is disliked is the message',
    file: lines(
      'Review ID,Submitted At,Reviewer Name,Title,Star Rating,What do you like best about Tally?,What do you dislike about Tally?',
      '1,2026-10-01,Ada,Good but slow,3.5,It is easy to use and the support answers quickly and kindly,Reports take minutes',
      '2,2026-10-02,Bo,Fine,4,It is easy to learn and I like the calm look of all its pages,No dark theme',
    ),
    texts: ['Good but slow\n\nReports take minutes', 'Fine\n\nNo dark theme'],
    first: { externalId: '1', author: 'Ada', attributes: { rating: '3.5' } },
  },
  {
    product: 'Discourse',
    what: 'the posts of an account',
    file: lines(
      'topic_title,categories,is_pm,post_raw,like_count,reply_count,url,created_at',
      'Uploads fail,Bugs,No,Files over 10 MB never finish,3,1,https://forum.example.com/t/uploads-fail/12/1,2026-10-01 08:00:00 UTC',
      'Mobile app?,Ideas,No,Is one planned,5,0,https://forum.example.com/t/mobile-app/13/1,2026-10-02 08:00:00 UTC',
    ),
    texts: ['Uploads fail\n\nFiles over 10 MB never finish', 'Mobile app?\n\nIs one planned'],
    first: { link: 'https://forum.example.com/t/uploads-fail/12/1' },
  },
  {
    product: 'Discourse',
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
  },
  {
    product: 'Discord',
    what: 'joins are no messages',
    file: lines(
      'AuthorID,Author,Date,Content,Attachments,Reactions',
      '901,ada,2026-10-01T08:00:00.0000000+00:00,Joined the server.,,',
      '901,ada,2026-10-01T08:01:00.0000000+00:00,The overlay crashes my game,,',
    ),
    texts: ['The overlay crashes my game'],
    first: { author: 'ada', at: new Date('2026-10-01T08:01:00Z') },
  },
  {
    product: 'Discord',
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
  },
  {
    product: 'Google Forms',
    what: 'in English',
    file: lines(
      'Timestamp,Your e-mail,What should we improve?,How happy are you?',
      '2026/10/04 1:28:19 PM GMT+5:30,ada@example.com,The invoice is empty when I download it,2',
      '2026/10/05 9:12:00 AM GMT+2,bo@example.com,Please add a dark theme,4',
      '2026/10/05 9:15:00 AM GMT+2,cy@example.com,Dark theme please,4',
    ),
    texts: ['The invoice is empty when I download it', 'Please add a dark theme', 'Dark theme please'],
    first: { author: 'ada@example.com', at: new Date('2026-10-04T07:58:19Z') },
  },
  {
    product: 'Google Forms',
    what: 'in German',
    file: lines(
      'Zeitstempel,Was fehlt Ihnen?',
      '04.10.2026 13:28:19,Die Rechnung ist leer',
      '05.10.2026 09:12:00,Ein dunkles Design',
    ),
    texts: ['Die Rechnung ist leer', 'Ein dunkles Design'],
    first: { author: null, at: new Date('2026-10-04T13:28:19Z') },
  },
  {
    product: 'Microsoft Forms',
    what: 'those who are not signed in are nobody',
    file: lines(
      'ID,Start time,Completion time,Email,Name,What should we fix?,How likely are you to recommend us?',
      '1,10/1/26 8:00:00,10/1/26 8:02:00,anonymous,,The door of the oven squeaks,3',
      '2,10/2/26 8:00:00,10/2/26 8:02:00,ada@example.com,Ada,The oven door squeaks,5',
    ),
    texts: ['The door of the oven squeaks', 'The oven door squeaks'],
    first: { externalId: '1', author: null, at: new Date('2026-10-01T08:02:00Z') },
  },
  {
    product: 'LimeSurvey',
    what: 'an anonymous survey, whose dates are none',
    file: lines(
      '"id. Response ID","submitdate. Date submitted","lastpage. Last page","startlanguage. Start language","seed. Seed","Q1. What annoys you most?"',
      '"1","1980-01-01 00:00:00","3","en","881230","Notifications arrive late"',
      '"2","1980-01-01 00:00:00","3","en","881231","I get notifications hours too late"',
    ),
    texts: ['Notifications arrive late', 'I get notifications hours too late'],
    first: { externalId: '1', author: null, dateKnown: false },
  },
  {
    product: 'LimeSurvey',
    what: 'headings that are codes',
    file: lines(
      'id,submitdate,lastpage,startlanguage,seed,Q1',
      '1,2026-10-01 08:00:00,3,en,881230,Notifications arrive late',
      '2,2026-10-02 08:00:00,3,en,881231,I get notifications too late',
    ),
    texts: ['Notifications arrive late', 'I get notifications too late'],
    first: { externalId: '1', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    product: 'Nextcloud Forms',
    what: 'in German, and anonymous',
    file: lines(
      'Benutzer-ID,Benutzername,Zeitstempel,Was stört Sie am meisten?',
      ',Anonyme:r Benutzer:in,"Donnerstag, 26. Januar 2026 um 13:39:50 Mitteleuropäische Normalzeit",Der Kalender zeigt Termine am falschen Tag',
      'ada,Ada Alt,"Montag, 2. März 2026 um 17:45:00 Mitteleuropäische Normalzeit",Meine Termine sind einen Tag zu früh',
    ),
    texts: ['Der Kalender zeigt Termine am falschen Tag', 'Meine Termine sind einen Tag zu früh'],
    first: { author: null, at: new Date('2026-01-26T12:39:50Z') },
  },
]

describe('the export of a product', () => {
  it.each(exports)(
    'is read as its own: $product, $what',
    async ({ product, name = 'export.csv', file, texts, first }) => {
      expect((await preview(Buffer.from(file), options(name))).preset).toBe(product)
      const read = await readAll(file, name)
      expect(read.texts).toEqual(texts)
      expect(read.items[0]).toMatchObject(first)
    },
  )
})

it('the dates of an anonymous survey are explained', async () => {
  const { file = '' } = exports.find(({ what }) => what.startsWith('an anonymous survey')) ?? {}
  expect((await preview(Buffer.from(file), options('a.csv'))).undated).toEqual({
    rows: 2,
    samples: ['1980-01-01 00:00:00'],
    why: 'LimeSurvey writes 1980-01-01 as the date of every answer to an anonymous survey',
  })
  // In any other file it is a day like others.
  expect((await readAll('date,text\n1980-01-01 00:00:00,It began then')).items[0]?.at.getUTCFullYear()).toBe(1980)
})

it('rows that a product wrote itself are reported with the reason', async () => {
  const { file = '', name = '' } = exports.find(({ what }) => what.startsWith('as JSON, without joins')) ?? {}
  expect((await readAll(file, name)).problems).toEqual([
    { line: 1, reason: 'The row is a notice of the channel, such as a join, not a message' },
    { line: 4, reason: 'The message was written by a bot' },
  ])
})

it('a type that is not one of Discord’s notices is a message', async () => {
  const row = { id: '1', type: 'feedback', timestamp: '2026-10-01T08:00:00Z', content: 'It is slow' }
  const file = JSON.stringify([{ ...row, author: { name: 'ada', isBot: false } }])
  expect((await readAll(file, 'chat.json')).items).toMatchObject([{ text: 'It is slow' }])
})
