import { gzipSync } from 'node:zlib'
import { EXPORT_COLUMNS } from '@groundswell/contract/insight-fields.ts'
import { openDocumentOf, openDocumentRows, textRowsXml, workbookOf, zipOf } from '../packed/testing.ts'
import { type Case, lines } from './case.ts'

const json = (value: unknown) => JSON.stringify(value)
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const table = [
  ['id', 'date', 'message'],
  ['1', '2026-10-01', 'The lift stops between floors'],
  ['2', '2026-10-02', 'Stairs are closed'],
]
const csv = table.map((row) => row.join(',')).join('\n')
const readFromTable = {
  preset: null,
  texts: ['The lift stops between floors', 'Stairs are closed'],
  first: { externalId: '1', at: new Date('2026-10-01'), dateOnly: true as const },
}

/** Kinds of files that are easily misread. All rows are made up. */
export const everydayFiles: readonly Case[] = [
  {
    what: 'ids beyond 2^53, in a list inside an object',
    name: 'messages.json',
    file: '{"messages": [\n {"id": 998877665544332211, "text": "Maps are blank"},\n {"id": 998877665544332213, "text": "Maps stay grey"}\n]}',
    preset: null,
    texts: ['Maps are blank', 'Maps stay grey'],
    first: { externalId: '998877665544332211', dateKnown: false },
  },
  {
    what: 'ids beyond 2^53, an object on each line',
    name: 'messages.ndjson',
    file: '{"id": 998877665544332211, "text": "Maps are blank"}\n{"id": 998877665544332213, "text": "Maps stay grey"}\n',
    preset: null,
    texts: ['Maps are blank', 'Maps stay grey'],
    first: { externalId: '998877665544332211' },
  },
  {
    what: 'offsets of one digit, and abbreviations of zones',
    name: 'when.csv',
    file: lines(
      'when,message,customer',
      '2026/11/02 4:05:00 PM GMT-3,The receipt has no address,Ana',
      '2026/11/02 9:15:00 AM CET,The receipt lacks our name,Bea',
      '2026/11/02 9:15:00 AM EST,Receipts come without tax,Cleo',
    ),
    preset: null,
    texts: ['The receipt has no address', 'The receipt lacks our name', 'Receipts come without tax'],
    first: { author: 'Ana', at: new Date('2026-11-02T19:05:00Z') },
  },
  {
    what: 'days counted by a spreadsheet, with a decimal comma',
    name: 'serial.csv',
    file: lines(
      'Datum;Nachricht;Kunde',
      '46300;Der Drucker steht still;Ada',
      '46301,25;Der Drucker druckt nicht;Bo',
      '46302;Drucker ohne Funktion;Cy',
    ),
    preset: null,
    texts: ['Der Drucker steht still', 'Der Drucker druckt nicht', 'Drucker ohne Funktion'],
    first: { author: 'Ada', at: new Date('2026-10-05'), dateOnly: true },
  },
  {
    what: 'weekdays and months in French, and one date that says nothing',
    name: 'avis.csv',
    file: lines(
      'date,commentaire',
      '"mercredi 7 octobre 2026 à 14:05",La facture est illisible',
      '"jeudi 8 octobre 2026 à 9:30",On ne peut pas lire la facture',
      'la semaine dernière,Facture trop petite',
    ),
    preset: null,
    texts: ['La facture est illisible', 'On ne peut pas lire la facture', 'Facture trop petite'],
    first: { at: new Date('2026-10-07T14:05:00Z') },
  },
  {
    what: 'days without a time',
    name: 'days.csv',
    file: lines('date,message', '2026-11-03,The badge reader is slow', '2026-11-04,Badges are not read'),
    preset: null,
    texts: ['The badge reader is slow', 'Badges are not read'],
    first: { at: new Date('2026-11-03'), dateOnly: true },
  },
  {
    what: 'titles above most texts, and a rating',
    name: 'reviews.csv',
    file: lines(
      'reviewer,created_at,rating,title,body',
      'Kim,2026-10-01T08:00:00Z,2,Seam opens,The seam of the tent opens in the wind',
      'Lou,2026-10-02T08:00:00Z,1,Wet inside,',
      'Max,2026-10-03T08:00:00Z,5,Light,Light to carry',
    ),
    preset: null,
    texts: ['Seam opens\n\nThe seam of the tent opens in the wind', 'Wet inside', 'Light to carry'],
    first: { author: 'Kim', at: new Date('2026-10-01T08:00:00Z'), attributes: { rating: '2' } },
  },
  {
    what: 'replies of the own team between the messages',
    name: 'chats.csv',
    file: lines(
      'conversation_id,author_type,sent_at,body',
      'c1,user,2026-10-01T08:00:00Z,The QR code does not open',
      'c1,admin,2026-10-01T08:10:00Z,Which phone do you use?',
      'c2,user,2026-10-02T08:00:00Z,QR codes cannot be scanned',
    ),
    preset: null,
    texts: ['The QR code does not open', 'Which phone do you use?', 'QR codes cannot be scanned'],
    first: { thread: 'c1', role: 'customer' },
  },
  {
    what: 'a second header, with the kinds of answers',
    name: 'survey.csv',
    file: lines(
      'Respondent ID,Date Created,Email Address,What should we improve?,How likely are you to recommend us?',
      ',,,Open-Ended Response,Response',
      '901,10/05/2026 08:00:00 AM,ada@example.com,The coffee is always cold,6',
      '902,10/05/2026 09:30:00 AM,bo@example.com,Cold coffee again,4',
      '903,10/06/2026 11:00:00 AM,cy@example.com,Serve the coffee hot,7',
    ),
    preset: null,
    texts: ['The coffee is always cold', 'Cold coffee again', 'Serve the coffee hot'],
    first: { author: 'ada@example.com', at: new Date('2026-10-05T08:00:00Z') },
  },
  {
    what: 'test answers to a survey',
    name: 'answers.csv',
    file: lines(
      'ResponseId,RecordedDate,Status,Q1',
      'R_1,2026-10-05 08:00:00,Survey Preview,asdf just trying this out',
      'R_2,2026-10-06 08:00:00,IP Address,The gate opens too late',
      'R_3,2026-10-07 08:00:00,IP Address,I wait at the gate',
    ),
    preset: null,
    texts: ['The gate opens too late', 'I wait at the gate'],
    first: { at: new Date('2026-10-06T08:00:00Z') },
    problems: ['The row is a test answer, given when the survey was tried out'],
  },
  {
    what: 'a column without a name that only counts the rows',
    name: 'frame.csv',
    file: lines(
      ',review,stars',
      '0,The straps are too short,2',
      '1,Straps tear off,1',
      '2,Good bag,5',
      '3,Zip is stuck,2',
      '4,The zip does not close,1',
    ),
    preset: null,
    texts: ['The straps are too short', 'Straps tear off', 'Good bag', 'Zip is stuck', 'The zip does not close'],
    // Not the number: next week's file counts from 0 again.
    first: { externalId: 'bd155e6d0266e2dd2c87433c720e6ea8-1', attributes: { rating: '2' } },
  },
  {
    what: 'HTML, beside markup that was typed',
    name: 'mails.csv',
    file: lines(
      'id,received_at,body',
      '1,2026-10-01T08:00:00Z,"<div dir=""auto""><p>Good morning,</p><p>labels don&#39;t <b>print</b>&nbsp;in colour<br></p></div>"',
      '2,2026-10-02T08:00:00Z,"where do I type <b> in the label editor?"',
      '3,2026-10-03T08:00:00Z,"Hello,<br />labels are grey<br />Thanks"',
      '4,2026-10-04T08:00:00Z,"a field of type List<Label> is refused if x<y && y>z"',
    ),
    preset: null,
    texts: [
      "Good morning,\nlabels don't print in colour",
      'where do I type <b> in the label editor?',
      'Hello,\nlabels are grey\nThanks',
      'a field of type List<Label> is refused if x<y && y>z',
    ],
    first: { externalId: '1' },
  },
  {
    what: 'a column that is named HTML',
    name: 'posts.csv',
    file: lines('id,date,body_html', '1,2026-10-01,Rock &amp; <em>Roll</em> is missing', '2,2026-10-02,No jazz'),
    preset: null,
    texts: ['Rock & Roll is missing', 'No jazz'],
    first: { externalId: '1' },
  },
  {
    what: 'issues of a tracker in German, with comments of the team',
    name: 'vorgaenge.csv',
    file: lines(
      'Zusammenfassung;Vorgangsschlüssel;Vorgangstyp;Autor;Erstellt;Beschreibung;Kommentar',
      'Anmelden geht nicht;APP-1;Fehler;ann;01.10.2026;Es kommt ein Fehler;Danke für den Hinweis, wir sehen uns das an und melden uns',
      'Abmelden geht nicht;APP-2;Fehler;bea;02.10.2026;;Danke, das ist für die nächste Version geplant',
    ),
    preset: null,
    texts: ['Anmelden geht nicht\n\nEs kommt ein Fehler', 'Abmelden geht nicht'],
    first: { externalId: 'APP-1', author: 'ann', at: new Date('2026-10-01') },
  },
  {
    what: 'dates as Japanese writes them',
    name: 'reviews-ja.csv',
    file: lines(
      '日付,コメント,評価',
      '2026年10月1日(木) 午後3時05分,アプリが落ちます,1',
      '2026年10月2日,ダウンロードできません,2',
    ),
    preset: null,
    texts: ['アプリが落ちます', 'ダウンロードできません'],
    first: { at: new Date('2026-10-01T15:05:00Z'), attributes: { rating: '1' } },
  },
  {
    what: 'several files with the same columns',
    name: 'parts.zip',
    file: zipOf({
      'part-10.csv': lines('id,message,date', '3,The map does not load,2026-10-03'),
      'part-9.csv': lines('id,message,date', '1,The map is blank,2026-10-01', '2,No map on my tablet,2026-10-02'),
    }),
    preset: null,
    texts: ['The map is blank', 'No map on my tablet', 'The map does not load'],
    first: { externalId: '1', at: new Date('2026-10-01'), dateOnly: true, place: 'parts.zip' },
  },
  {
    what: 'Excel’s “Unicode text”: a .txt of tabs in UTF-16',
    name: 'Rückmeldungen.txt',
    file: utf16(
      'Datum\tName\tNachricht\r\n05.10.2026\tJörg Möß\tDie Tür schließt zu früh\r\n06.10.2026\tÄnne Øst\tTüren gehen zu früh zu\r\n',
    ),
    preset: null,
    texts: ['Die Tür schließt zu früh', 'Türen gehen zu früh zu'],
    first: { author: 'Jörg Möß', at: new Date('2026-10-05'), dateOnly: true },
  },
  {
    what: 'a .txt of pipes',
    name: 'list.txt',
    file: lines(
      'date|customer|message|stars',
      '2026-10-05|Ann 🌷|The lawn is wet 🌧️|2',
      '2026-10-06|Ben|Wet lawn, again|1',
    ),
    preset: null,
    texts: ['The lawn is wet 🌧️', 'Wet lawn, again'],
    first: { author: 'Ann 🌷', attributes: { rating: '2' } },
  },
  {
    what: 'an Excel workbook',
    name: 'feedback.xlsx',
    file: workbookOf({ Cover: '', Answers: textRowsXml(table) }),
    ...readFromTable,
  },
  {
    what: 'an OpenDocument spreadsheet',
    name: 'feedback.ods',
    file: openDocumentOf({ Cover: '', Answers: openDocumentRows(table) }),
    ...readFromTable,
  },
  {
    what: 'what was rated, which version and where become attributes',
    name: 'reviews.csv',
    file: lines(
      'Review,Rating,App Version,Country,Date',
      'It crashes when I open a photo,1,4.12.0,DE,2026-10-01 08:00',
      'Photos look great,5,,,2026-10-02 08:00',
    ),
    preset: null,
    texts: ['It crashes when I open a photo', 'Photos look great'],
    first: { attributes: { rating: '1', version: '4.12.0', country: 'DE' } },
  },
  {
    what: 'the same as JSON',
    name: 'reviews.json',
    file: JSON.stringify([
      { review: 'It crashes when I open a photo', stars: 1, version: '4.12.0', country_code: 'DE' },
      { review: 'Photos look great', stars: 5, version: '4.13.0', country_code: 'FR' },
    ]),
    preset: null,
    texts: ['It crashes when I open a photo', 'Photos look great'],
    first: { attributes: { rating: '1', version: '4.12.0', country: 'DE' } },
  },
  { what: 'a zipped file', name: 'feedback.zip', file: zipOf({ 'export/feedback.csv': csv }), ...readFromTable },
  { what: 'a file packed by gzip', name: 'feedback.csv.gz', file: gzipSync(csv), ...readFromTable },
  {
    what: 'our own export of insights',
    name: 'groundswell-insights.csv',
    file: [
      EXPORT_COLUMNS,
      EXPORT_COLUMNS.map(
        (name) =>
          ({
            issue_number: '7',
            mention_date: '2026-10-01T08:00:00.000Z',
            mention_author: "'@ada",
            mention_source: 'zendesk',
            mention_place: 'Email',
            mention_text: "'=1+1 is wrong in the total",
            mention_link: 'https://example.com/1',
          })[name as string] ?? '',
      ),
    ]
      .map((row) => row.map((cell) => `"${cell}"`).join(','))
      .join('\r\n'),
    preset: 'Groundswell',
    texts: ['=1+1 is wrong in the total'],
    first: {
      author: '@ada',
      at: new Date('2026-10-01T08:00:00Z'),
      place: 'Email',
      link: 'https://example.com/1',
    },
  },
  {
    what: 'our own export of all feedback',
    name: 'groundswell-feedback.jsonl',
    file: json({
      id: '1',
      source: 'slack',
      source_name: 'Slack',
      external_id: 'C1/5',
      text: 'The plan is not printed',
      author: 'Ada',
      date: '2026-10-01',
      link: null,
      thread: null,
      place: '#support',
    }),
    preset: null,
    texts: ['The plan is not printed'],
    first: { author: 'Ada', at: new Date('2026-10-01'), dateOnly: true, place: '#support' },
  },
  {
    what: 'two columns of one name, of which one is empty',
    name: 'twice.csv',
    file: lines(
      'Date,Comment,Status,Comment',
      '2026-10-01,,open,The tap drips',
      '2026-10-02,,open,A dripping tap in room 5',
      '2026-10-03,done,closed,Tap cannot be closed',
    ),
    preset: null,
    texts: ['The tap drips', 'A dripping tap in room 5', 'Tap cannot be closed'],
    first: { at: new Date('2026-10-01'), dateOnly: true },
  },
  {
    what: 'addresses of pictures, and texts of characters that cannot be seen',
    name: 'photos.csv',
    file: lines(
      'id,date,photo_url,page,text',
      'p1,2026-10-01,https://img.example.com/1.jpg,https://shop.example.com/r/1,The colour fades',
      'p2,2026-10-02,https://img.example.com/2.jpg,https://shop.example.com/r/2,\u200b\u200b',
      'p3,2026-10-03,https://img.example.com/3.jpg,https://shop.example.com/r/3,Colours wash out',
    ),
    preset: null,
    texts: ['The colour fades', 'Colours wash out'],
    first: { externalId: 'p1', link: 'https://shop.example.com/r/1' },
    problems: ['The text is empty'],
  },
]
