import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSentence, laterTitlesOf, splitSentences, titleOf } from './titles.ts'

describe('titleOf', () => {
  test.each([
    ['hi, could you please tell me how to reset my password?', 'How to reset my password'],
    ['what do you think the colour is called', 'What do you think the colour is called'],
    ["what's my credit limit", "What's my credit limit"],
    ['CSV export fails for large reports!!!', 'CSV export fails for large reports'],
    ['Hello team, the csv export is broken, thanks', 'The CSV export is broken'],
    ['please add a dark mode', 'Add a dark mode'],
    ['Feature request: bulk edit of time entries', 'Bulk edit of time entries'],
    ['i would like to know the status of my order', 'The status of my order'],
    ['THE DASHBOARD IS SO SLOW TODAY', 'The dashboard is so slow today'],
    ['i think i lost my card 😢', 'I lost my card'],
    ['iPhone app crashes on start :(', 'iPhone app crashes on start'],
    [
      'The timer stops when the phone is locked because the app is put to sleep by the system after a minute',
      'The timer stops when the phone is locked',
    ],
    ['Rossi Foods says that the export is empty', 'The export is empty'],
    ['Bakery firm Rossi & Sons says the export is empty', 'The export is empty'],
    ['Our customers complain that the link is dead', 'The link is dead'],
    ['3rd ticket this week about timers that stop', 'Timers that stop'],
    ['4 seats are missing', '4 seats are missing'],
    ['turns out guests count as users', 'Guests count as users'],
    ["we're still trying to find the archive", 'Find the archive'],
    ['I lost my key, can you help me?', 'I lost my key'],
    ['do you know where to find the archive', 'Where to find the archive'],
    ['Why was I charged a fee when I paid by card', 'Why was I charged a fee when I paid by card'],
    [
      'Has anyone here found a fix for the clock stopping when you open another app',
      'Has anyone here found a fix for the clock stopping',
    ],
    [
      'I need to get all the entries of my three teams into a table for the auditors',
      'I need to get all the entries of my three teams',
    ],
    ['Jira-Buchungen landen im falschen Projekt', 'Jira-Buchungen landen im falschen Projekt'],
    ['Der Sync legt jeden Termin doppelt an, hat das noch jemand?', 'Der Sync legt jeden Termin doppelt an'],
    ['which countries do you work in?', 'Which countries do you work in'],
    ['tell me what my credit limit is', 'What is my credit limit'],
    ['i want to know what time it is in Lisbon', 'What time is it in Lisbon'],
    ['do you know who your boss is?', 'Who is your boss'],
    ['where my parcel was sent from', 'Where my parcel was sent from'],
    ['Bitte den Export reparieren, danke', 'Den Export reparieren'],
    ['@acme can you cancel my order', 'Cancel my order'],
    ['@acme is the shop closed today?', 'Is the shop closed today'],
    ['@acme @help my flight is late &amp; nobody cares', 'My flight is late & nobody cares'],
    ['The list shows &nbsp; &#8211; twice #fail @acme', 'The list shows twice'],
    ['Subject: WRONG PRICES ONLINE', 'Wrong prices online'],
    ['STILL no dark mode for SEPA', 'Still no dark mode for SEPA'],
    ['Morning team, the export is empty', 'The export is empty'],
    ['Morning shift is missing', 'Morning shift is missing'],
    ['right now the export is empty', 'The export is empty'],
    ['Today is the day', 'Today is the day'],
    ['Betreff: Rechnung ist falsch', 'Rechnung ist falsch'],
    ['been on hold for for over two hours', 'Been on hold for over two hours'],
    ['the the export to to Excel is empty', 'The export to Excel is empty'],
    ['When a friend tags me the list is empty', 'When a friend tags me the list is empty'],
    [
      'After each update my weight flips back to pounds, which is wrong for all of us here',
      'After each update my weight flips back to pounds',
    ],
    [
      'when will the charts of last year be there again because we need them for the auditors',
      'When will the charts of last year be there again',
    ],
    ['No I need the number of the shop', 'I need the number of the shop'],
    ['what it is is a mystery', 'What it is is a mystery'],
    [
      'Ever since Monday my three shop listings are all empty',
      'Ever since Monday my three shop listings are all empty',
    ],
    ['Ever since the last update my three shop listings are all empty', 'My three shop listings are all empty'],
    ['the board shows all my tasks twice why don’t you', 'The board shows all my tasks twice'],
  ])('%j becomes %j', (sentence, title) => {
    expect(titleOf(sentence)).toBe(title)
  })

  test.each([
    'hi',
    'thanks',
    'ann@x.example cannot log in',
    'see https://x.example/a for it',
    'order 12345678 is missing',
    'the one with the',
    'right now we keep a tab open for ten minutes at least to see it fail at the end',
    '{"error": "failed"}',
    'GET /api/v2/summary took half a minute',
    '@acme is the worst shop in town',
    'When a friend tags me in a comment on a chart, the notification takes me to a list of charts',
    'After the last update of my old phone in May, the list of charts is empty',
    '',
    '😀',
  ])('%j gives none', (sentence) => {
    expect(titleOf(sentence)).toBeNull()
  })

  test('consists of 2 to 12 words of the sentence, in order, for any text', () => {
    const words = fc.constantFrom(
      'hi',
      'please',
      'the',
      'export',
      'fails',
      'because',
      ',',
      'i',
      'CSV',
      'can',
      'you',
      'tell',
      'me',
      '?',
      'ü',
      '\ud800',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (picked) => {
        const title = titleOf(picked.join(' '))
        if (title === null) return
        const count = title.split(' ').length
        expect(count).toBeGreaterThanOrEqual(2)
        expect(count).toBeLessThanOrEqual(12)
        expect(title).not.toMatch(/[\s.,!?;:]$/)
        expect(title.isWellFormed()).toBe(true)
        const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-zü]+/g) ?? []
        const said = wordsOf(picked.join(' '))
        let from = 0
        for (const word of wordsOf(title)) {
          const at = said.indexOf(word, from)
          expect(at, `${word} of ${title}`).toBeGreaterThanOrEqual(from)
          from = at + 1
        }
      }),
    )
  })
})

describe('sentencesOf', () => {
  test('separates sentences, lines and list items', () => {
    expect(splitSentences('It fails. Why? No idea\n- the export\n2) the import\n\n...')).toEqual([
      'It fails.',
      'Why?',
      'No idea',
      'the export',
      'the import',
    ])
  })

  test('does not split after an abbreviation', () => {
    expect(splitSentences('It stops at approx. 10 rows. Why?')).toEqual(['It stops at approx. 10 rows.', 'Why?'])
    expect(splitSentences('Ab ca. 100 Zeilen bricht es ab.')).toEqual(['Ab ca. 100 Zeilen bricht es ab.'])
  })

  test('separates sentences without a space between them', () => {
    expect(splitSentences('It stops.Why is that? please...it hurts')).toEqual([
      'It stops.',
      'Why is that?',
      'please...',
      'it hurts',
    ])
  })

  test('strips list numbers only', () => {
    expect(splitSentences('1) pictures\n(2) videos\na) music')).toEqual(['pictures', 'videos', 'music'])
    expect(splitSentences('1. the export\n4th time now\n5.15 beta')).toEqual([
      'the export',
      '4th time now',
      '5.15 beta',
    ])
  })

  test('leaves out overlong sentences', () => {
    expect(splitSentences(`${'x'.repeat(400)}\nshort one`)).toEqual(['short one'])
  })
})

describe('spoken', () => {
  test.each([
    ['Hello, search finds nothing', 'Search finds nothing.'],
    ['the export fails', 'The export fails.'],
    ['WHY IS IT SO SLOW?', 'Why is it so slow?'],
    ['iPhone app crashes!', 'iPhone app crashes!'],
    ['It says "no access"', 'It says "no access".'],
    ['It says "no access."', 'It says "no access."'],
    ['one for each:', 'One for each.'],
    ['where is the export', 'Where is the export?'],
    ['Re: Re: timer issue on phone', 'Timer issue on phone.'],
    ['AW: Rechnung falsch', 'Rechnung falsch.'],
    ['Re: hello, the export fails', 'The export fails.'],
    ['Re:', 'Re.'],
    ['Redo: it is gone', 'Redo: it is gone.'],
    ['', '.'],
  ])('%j reads %j', (sentence, read) => {
    expect(asSentence(sentence)).toBe(read)
  })
})

describe('laterTitlesOf', () => {
  test.each([
    ['The desktop is fine, but the phone timer stops at once', ['The phone timer stops at once']],
    ['Customers on phones: the pay button does nothing', ['The pay button does nothing']],
    ['The export stops, and we lose an hour', ['We lose an hour']],
    ['Das Blatt ist leer und wir warten seit Montag', ['Wir warten seit Montag']],
    ['There is a sheet which has all of it', ['Which has all of it']],
    ['It has gaps and the gaps grow', ['The gaps grow']],
    ['The export stops', []],
    ['The export stops, sadly', []],
  ])('%j has %j', (sentence, titles) => {
    expect(laterTitlesOf(sentence)).toEqual(titles)
  })
})
