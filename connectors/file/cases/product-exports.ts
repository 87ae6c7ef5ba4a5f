import { type Case, lines } from './case.ts'

/** Exports of other products. Names, columns and formats are those of the products; the rows are made up. */
export const productExports: readonly Case[] = [
  {
    preset: 'Google Play',
    what: 'in UTF-16, with the developer’s reply in the row',
    name: 'reviews.csv',
    file: Buffer.from(
      lines(
        '\uFEFFPackage Name,Reviewer Language,Review Submit Date and Time,Review Submit Millis Since Epoch,Star Rating,Review Title,Review Text,Developer Reply Text,Review Link',
        'com.example.app,en,2026-10-01T08:00:00Z,1790841600000,1,Silent,No sound after the update,"Thanks, we are looking into why there is no sound on your phone",http://play.google.com/console/review-details?reviewId=r1',
        'com.example.app,en,2026-10-02T08:00:00Z,1790928000000,2,,Sound is gone,,http://play.google.com/console/review-details?reviewId=r2',
      ),
      'utf16le',
    ),
    texts: ['Silent\n\nNo sound after the update', 'Sound is gone'],
    first: {
      externalId: 'http://play.google.com/console/review-details?reviewId=r1',
      author: null,
      at: new Date('2026-10-01T08:00:00Z'),
      attributes: { rating: '1' },
    },
  },
  {
    preset: 'App Store Connect',
    what: 'reviews of its API, one on each line',
    name: 'reviews.jsonl',
    file: lines(
      '{"type":"customerReviews","id":"901","attributes":{"rating":1,"title":"Silent","body":"No sound after the update","reviewerNickname":"ada7","createdDate":"2026-10-01T08:00:00-07:00"}}',
      '{"type":"customerReviews","id":"902","attributes":{"rating":2,"title":"Sound","body":"It is gone","reviewerNickname":"bo7","createdDate":"2026-10-02T08:00:00-07:00"}}',
    ),
    texts: ['Silent\n\nNo sound after the update', 'Sound\n\nIt is gone'],
    first: { externalId: '901', author: 'ada7', at: new Date('2026-10-01T15:00:00Z'), attributes: { rating: '1' } },
  },
  {
    preset: 'App Store',
    what: 'the public feed of a store, in which each value is a label',
    name: 'reviews.json',
    file: JSON.stringify({
      feed: {
        author: { name: { label: 'Store' } },
        entry: [
          {
            author: { uri: { label: 'https://store.example.com/u/1' }, name: { label: 'ada7' }, label: '' },
            updated: { label: '2026-10-01T08:00:00-07:00' },
            'im:rating': { label: '1' },
            'im:version': { label: '3.2' },
            id: { label: '901' },
            title: { label: 'Silent' },
            content: { label: 'No sound after the update', attributes: { type: 'text' } },
          },
        ],
      },
    }),
    texts: ['Silent\n\nNo sound after the update'],
    first: {
      externalId: '901',
      author: 'ada7',
      at: new Date('2026-10-01T15:00:00Z'),
      attributes: { rating: '1', version: '3.2' },
    },
  },
  {
    preset: 'Trustpilot',
    what: 'the company’s reply in the same row',
    name: 'export.csv',
    file: lines(
      'Review Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars,Review Company Reply,Company Reply Date (UTC),Tags',
      'r1,2026-10-01T08:00:00Z,Ada,Slow claim,Four months until it was paid,1,"Hello Ada, we are very sorry that your claim took such a long time and have paid it today",2026-10-02,',
      'r2,2026-10-02T08:00:00Z,Bo,Never paid,,1,,,',
    ),
    texts: ['Slow claim\n\nFour months until it was paid', 'Never paid'],
    first: { externalId: 'r1', author: 'Ada', attributes: { rating: '1' } },
  },
  {
    preset: 'Trustpilot',
    what: 'as tools read it from the page',
    name: 'export.csv',
    file: lines(
      'id,filtered,pending,text,rating,title,likes,experienced,published,source',
      'e1,FALSE,FALSE,It took four months,1,Slow claim,0,2026-09-01T00:00:00.000Z,2026-10-01T20:58:35.000Z,https://www.trustpilot.com/review/example.com?page=8',
      'e2,FALSE,FALSE,,1,Never paid,0,2026-09-02T00:00:00.000Z,2026-10-02T20:58:35.000Z,https://www.trustpilot.com/review/example.com?page=8',
    ),
    texts: ['Slow claim\n\nIt took four months', 'Never paid'],
    first: { externalId: 'e1', link: null, at: new Date('2026-10-01T20:58:35Z'), attributes: { rating: '1' } },
  },
  {
    preset: 'G2',
    what: 'what is disliked is the message',
    name: 'export.csv',
    file: lines(
      'Review ID,Submitted At,Reviewer Name,Title,Star Rating,What do you like best about Tally?,What do you dislike about Tally?',
      '1,2026-10-01,Ada,Good but slow,3.5,It is easy to use and the support answers quickly and kindly,Reports take minutes',
      '2,2026-10-02,Bo,Fine,4,It is easy to learn and I like the calm look of all its pages,No dark theme',
    ),
    texts: ['Good but slow\n\nReports take minutes', 'Fine\n\nNo dark theme'],
    first: { externalId: '1', author: 'Ada', attributes: { rating: '3.5' } },
  },
  {
    preset: 'Zendesk',
    what: 'tickets as CSV, which has subjects only',
    name: 'export.csv',
    file: lines(
      '"Summation column","Id","Requester","Requester email","Assignee","Subject","Status","Ticket type","Created at","Satisfaction Score"',
      '"1","501","Ada","ada@example.com","Sam Desk","The ramp is too steep","Open","Problem","2026-10-01 08:00","Offered"',
      '"1","502","Bo","bo@example.com","Sam Desk","Ramp is steep in the rain","Open","Problem","2026-10-02 08:00","Offered"',
    ),
    texts: ['The ramp is too steep', 'Ramp is steep in the rain'],
    first: { externalId: '501', author: 'Ada', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Zendesk',
    what: 'tickets as JSON, a page of the API',
    name: 'tickets.json',
    file: JSON.stringify({
      tickets: [
        {
          id: 501,
          subject: 'Ramp',
          description: 'The ramp is too steep',
          requester_id: 7,
          via: { channel: 'web' },
          created_at: '2026-10-01T08:00:00Z',
        },
      ],
      next_page: null,
    }),
    texts: ['Ramp\n\nThe ramp is too steep'],
    first: { externalId: '501', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Intercom',
    what: 'conversations as CSV',
    name: 'export.csv',
    file: lines(
      'Conversation ID,Conversation started at (America/New_York),User name,User email,Title,First message,Teammate currently assigned',
      '901,2026-10-01 08:00:00,Ada,ada@example.com,Conversation,The kiosk does not take my card,Sam Desk',
      '902,2026-10-02 08:00:00,Bo,bo@example.com,,My card is refused by the kiosk,Sam Desk',
    ),
    texts: ['The kiosk does not take my card', 'My card is refused by the kiosk'],
    first: { externalId: '901', author: 'Ada' },
  },
  {
    preset: 'Intercom',
    what: 'conversations of its API, in HTML',
    name: 'conversations.json',
    file: JSON.stringify({
      type: 'conversation.list',
      conversations: [
        {
          id: '901',
          created_at: 1790841600,
          source: {
            subject: '<p>Kiosk</p>',
            body: '<p>It doesn&#39;t take my card</p>',
            delivered_as: 'customer_initiated',
          },
          conversation_parts: { type: 'conversation_part.list' },
        },
      ],
    }),
    texts: ["Kiosk\n\nIt doesn't take my card"],
    first: { externalId: '901', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'SurveyMonkey',
    what: 'a single answer below the kinds of answers',
    name: 'Survey.csv',
    file: lines(
      'Respondent ID,Collector ID,Start Date,End Date,IP Address,Email Address,First Name,Last Name,Custom Data 1,What can we do better?',
      ',,,,,,,,,Open-Ended Response',
      '11412,401,10/01/2026 08:00:00 AM,10/01/2026 08:03:00 AM,192.0.2.1,ada@example.com,Ada,Ames,,The queue is far too long',
    ),
    texts: ['The queue is far too long'],
    first: { externalId: '11412', author: 'ada@example.com', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Google Forms',
    what: 'half days in German, with the zone',
    name: 'Antworten.csv',
    file: lines(
      '"Zeitstempel","Was sollen wir verbessern?"',
      '"2026/10/01 1:28:19 nachm. MESZ","Der Aufzug ist immer voll"',
      '"2026/10/02 9:05:00 vorm. MESZ","Die Treppe ist nachts dunkel"',
    ),
    texts: ['Der Aufzug ist immer voll', 'Die Treppe ist nachts dunkel'],
    first: { author: null, at: new Date('2026-10-01T11:28:19Z') },
  },
  {
    preset: 'Typeform',
    what: 'the answer with the most words is the message',
    name: 'responses.csv',
    file: lines(
      '#,How likely are you to recommend us?,What should we change?,Your e-mail,Response Type,Start Date (UTC),Submit Date (UTC),Network ID',
      'r1,6,The queue at the desk is far too long,ada@example.com,completed,2026-10-01 07:58:00,2026-10-01 08:00:00,n1',
      'r2,9,Shorter queues please,bo@example.com,completed,2026-10-02 07:58:00,2026-10-02 08:00:00,n2',
    ),
    texts: ['The queue at the desk is far too long', 'Shorter queues please'],
    first: { externalId: 'r1', author: 'ada@example.com', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Typeform',
    what: 'responses of the API: the answer with the most words is the message',
    name: 'responses.json',
    file: JSON.stringify({
      total_items: 2,
      page_count: 1,
      items: [
        {
          response_id: 'r1',
          token: 'r1',
          landed_at: '2026-10-01T07:58:00Z',
          submitted_at: '2026-10-01T08:00:00Z',
          metadata: {
            user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) like a browser with many words in its name',
          },
          answers: [
            { field: { id: 'f1', type: 'opinion_scale', ref: 'recommend' }, type: 'number', number: 6 },
            {
              field: { id: 'f2', type: 'long_text', ref: 'change' },
              type: 'text',
              text: 'The queue at the desk is too long',
            },
            { field: { id: 'f3', type: 'multiple_choice', ref: 'place' }, type: 'choice', choice: { label: 'London' } },
            { field: { id: 'f4', type: 'email', ref: 'email' }, type: 'email', email: 'ada@example.com' },
          ],
        },
        {
          response_id: 'r2',
          token: 'r2',
          landed_at: '2026-10-02T07:58:00Z',
          submitted_at: '2026-10-02T08:00:00Z',
          metadata: { user_agent: 'Mozilla/5.0 (X11; Linux x86_64) like another browser with many words in its name' },
          answers: [
            { field: { id: 'f2', type: 'long_text', ref: 'change' }, type: 'text', text: 'Shorter queues please' },
            { field: { id: 'f4', type: 'email', ref: 'email' }, type: 'email', email: 'bo@example.com' },
          ],
        },
      ],
    }),
    texts: ['The queue at the desk is too long', 'Shorter queues please'],
    first: { externalId: 'r1', author: 'ada@example.com', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Google Forms',
    what: 'in English',
    name: 'export.csv',
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
    preset: 'Google Forms',
    what: 'in German',
    name: 'export.csv',
    file: lines(
      'Zeitstempel,Was fehlt Ihnen?',
      '04.10.2026 13:28:19,Die Rechnung ist leer',
      '05.10.2026 09:12:00,Ein dunkles Design',
    ),
    texts: ['Die Rechnung ist leer', 'Ein dunkles Design'],
    first: { author: null, at: new Date('2026-10-04T13:28:19Z') },
  },
  {
    preset: 'Microsoft Forms',
    what: 'those who are not signed in are nobody',
    name: 'export.csv',
    file: lines(
      'ID,Start time,Completion time,Email,Name,What should we fix?,How likely are you to recommend us?',
      '1,10/1/26 8:00:00,10/1/26 8:02:00,anonymous,,The door of the oven squeaks,3',
      '2,10/2/26 8:00:00,10/2/26 8:02:00,ada@example.com,Ada,The oven door squeaks,5',
    ),
    texts: ['The door of the oven squeaks', 'The oven door squeaks'],
    first: { externalId: '1', author: null, at: new Date('2026-10-01T08:02:00Z') },
  },
  {
    preset: 'LimeSurvey',
    what: 'an anonymous survey, whose dates are none',
    name: 'export.csv',
    file: lines(
      '"id. Response ID","submitdate. Date submitted","lastpage. Last page","startlanguage. Start language","seed. Seed","Q1. What annoys you most?"',
      '"1","1980-01-01 00:00:00","3","en","881230","Notifications arrive late"',
      '"2","1980-01-01 00:00:00","3","en","881231","I get notifications hours too late"',
    ),
    texts: ['Notifications arrive late', 'I get notifications hours too late'],
    first: { externalId: '1', author: null, dateKnown: false },
  },
  {
    preset: 'LimeSurvey',
    what: 'headings that are codes',
    name: 'export.csv',
    file: lines(
      'id,submitdate,lastpage,startlanguage,seed,Q1',
      '1,2026-10-01 08:00:00,3,en,881230,Notifications arrive late',
      '2,2026-10-02 08:00:00,3,en,881231,I get notifications too late',
    ),
    texts: ['Notifications arrive late', 'I get notifications too late'],
    first: { externalId: '1', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    preset: 'Nextcloud Forms',
    what: 'in German, and anonymous',
    name: 'export.csv',
    file: lines(
      'Benutzer-ID,Benutzername,Zeitstempel,Was stört Sie am meisten?',
      ',Anonyme:r Benutzer:in,"Donnerstag, 26. Januar 2026 um 13:39:50 Mitteleuropäische Normalzeit",Der Kalender zeigt Termine am falschen Tag',
      'ada,Ada Alt,"Montag, 2. März 2026 um 17:45:00 Mitteleuropäische Normalzeit",Meine Termine sind einen Tag zu früh',
    ),
    texts: ['Der Kalender zeigt Termine am falschen Tag', 'Meine Termine sind einen Tag zu früh'],
    first: { author: null, at: new Date('2026-01-26T12:39:50Z') },
  },
]
