import { describe, expect, test } from 'vitest'
import { prepare } from './prepare.ts'

/** Complete messages as they arrive by mail, ticket and chat, and the statements they contain. */
const LETTERS: Record<string, { text: string; said: string[] }> = {
  'a ticket with subject, greeting and signature': {
    text: `No reset email
Hi, I can't remember my password and the email with the link never shows up.
My address is correct, I receive your newsletters just fine!

Kind regards,
Elena Popescu
Head of Operations
ACME GmbH`,
    said: [
      `No reset email
Hi, I can't remember my password and the email with the link never shows up.
My address is correct, I receive your newsletters just fine!`,
    ],
  },
  'an answer above a quoted mail': {
    text: `Hello Priya,

it still happens on version 5.14.

Am Mo., 3. März 2025 um 09:12 Uhr schrieb Support <help@vendor.example>:

> Could you please update?
> Regards, Priya`,
    said: ['it still happens on version 5.14.'],
  },
  'an answer between quoted lines': {
    text: `> Which browser do you use?
Firefox 128
> And which plan?
The team plan`,
    said: ['Firefox 128', 'The team plan'],
  },
  'a forwarded mail': {
    text: `A customer has lost entries, see below.

---------- Forwarded message ---------
From: Ann Lee
Date: Monday
Subject: lost

All gone.`,
    said: ['A customer has lost entries, see below.'],
  },
  'an Outlook answer': {
    text: `The invoice is wrong again.

From: Support
Sent: Tuesday, 4 March 2025 10:00
To: Ann
Subject: RE: invoice

We have fixed it.`,
    said: ['The invoice is wrong again.'],
  },
  'a mail from a telephone': {
    text: `Timer stopped twice today

Sent from my iPhone`,
    said: ['Timer stopped twice today'],
  },
  'a German mail': {
    text: `Sehr geehrte Damen und Herren,

die Mehrwertsteuer wird falsch gerundet.

Mit freundlichen Grüßen
Oona Virtanen`,
    said: ['die Mehrwertsteuer wird falsch gerundet.'],
  },
  'a list of steps': {
    text: `Repro:
- start timer
- swipe up
- reopen: counts from there

Fatima Zahra`,
    said: [`Repro:\n- start timer\n- swipe up\n- reopen: counts from there`],
  },
  'Windows line ends': {
    text: 'Hi,\r\nthe search is slow.\r\n\r\nThanks,\r\nJim\r\n',
    said: ['the search is slow.'],
  },
  'a chat message with a mention': {
    text: '<@U02AB> the widget is blank since this morning :sob:',
    said: ['<@U02AB> the widget is blank since this morning :sob:'],
  },
  'thanks at the end of a sentence': {
    text: 'Could you add keyboard shortcuts? Thanks',
    said: ['Could you add keyboard shortcuts?'],
  },
  'a last line that is no name': {
    text: 'The export fails\nEvery single time',
    said: ['The export fails\nEvery single time'],
  },
  'a signature alone': {
    text: '-- \nAnn Lee\nACME',
    said: ['-- \nAnn Lee'],
  },
  'code in a message': {
    text: 'the API answers `429 Too Many Requests` for\n```\nGET /api/v2/entries\n```\nafter ten calls',
    said: ['the API answers `429 Too Many Requests` for\n```\nGET /api/v2/entries\n```\nafter ten calls'],
  },
}

describe('prepare', () => {
  test.each(Object.entries(LETTERS))('reads %s', (_, { text, said }) => {
    expect(prepare({ id: 'm', text, at: 0 }).map((statement) => statement.text)).toEqual(said)
  })

  test('separates two subjects of a long letter at their paragraphs', () => {
    const one =
      `First, the export of our annual report fails. ${'It ends with a timeout after a minute or so. '.repeat(8)}`.trim()
    const two =
      `Second, the dashboard is slow. ${'It takes more than thirty seconds to load for us. '.repeat(8)}`.trim()
    const statements = prepare({ id: 'm', text: `Hi team,\n\n${one}\n\n${two}\n\nBest,\nAnn`, at: 0 })
    expect(statements.map((statement) => statement.text.slice(0, 7))).toEqual([
      'First, ',
      'It ends',
      'Second,',
      'It take',
    ])
    expect(statements.map((statement) => statement.id)).toEqual(['m:0', 'm:1', 'm:2', 'm:3'])
  })

  test('cuts an endless sentence after at most 600 characters', () => {
    const statements = prepare({ id: 'm', text: 'word '.repeat(500), at: 0 })
    expect(statements.length).toBeGreaterThan(3)
    for (const statement of statements) expect(statement.text.length).toBeLessThanOrEqual(600)
  })
})
