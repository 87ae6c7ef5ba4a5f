import { type Case, lines } from './case.ts'

/** Tables that spreadsheets and tools write, and that are easily misread. All rows are made up. */
export const tables: readonly Case[] = [
  {
    what: 'empty rows below the last one, as spreadsheets write them',
    name: 'sheet.csv',
    file: lines('Feedback,Name,,', 'The gate squeaks,Ada,,', 'A squeaking gate,Bo,,', ',,,', ',,,'),
    preset: null,
    texts: ['The gate squeaks', 'A squeaking gate'],
    first: { author: 'Ada' },
  },
  {
    what: 'notes above the names of two columns',
    name: 'report.csv',
    file: lines(
      '# Export of feedback',
      '# 1 to 31 October 2026',
      '',
      'Date,Feedback',
      '20261001,The gate squeaks',
      '20261002,A squeaking gate',
    ),
    preset: null,
    texts: ['The gate squeaks', 'A squeaking gate'],
    first: { at: new Date('2026-10-01'), dateOnly: true },
  },
  {
    what: 'reviews in columns separated by tabs, whose first column is a market',
    name: 'reviews.tsv',
    file: lines(
      'marketplace\tcustomer_id\treview_id\tproduct_title\tstar_rating\treview_headline\treview_body\treview_date',
      'US\t7\tR1\tLamp\t2\tToo dim\tI cannot read by this lamp\t2026-10-01',
      'US\t8\tR2\tLamp\t5\tNice\tIt looks good on my desk\t2026-10-02',
    ),
    preset: null,
    texts: ['Too dim\n\nI cannot read by this lamp', 'Nice\n\nIt looks good on my desk'],
    first: { externalId: 'R1', attributes: { rating: '2' } },
  },
  {
    what: 'tickets with a name, and the contact and company that belong to them',
    name: 'tickets.csv',
    file: lines(
      'Record ID,Ticket name,Ticket description,Create date,Ticket owner,Ticket status,Associated Contact,Associated Company',
      '11,Login,I cannot log in since Monday,2026-10-01 08:15,Sam Agent,New,Ada Lovelace,Acme',
      '12,Invoice,The invoice has the wrong tax,2026-10-02 09:15,Sam Agent,Closed,Bo Berg,Birch',
    ),
    preset: null,
    texts: ['Login\n\nI cannot log in since Monday', 'Invoice\n\nThe invoice has the wrong tax'],
    first: { externalId: '11', author: 'Ada Lovelace', attributes: { organisation: 'Acme' } },
  },
]
