import { describe, expect, it } from 'vitest'
import type { Comment } from '../schema.ts'
import { timesOf, transcriptOf } from './transcript.ts'

const comment = (body: string, author_id: number | null = -1): Comment => ({
  id: 1,
  author_id,
  public: true,
  body,
  created_at: '2026-03-01T08:05:00Z',
})
const said = (body: string, author_id: number | null = -1, isMessaging = true, requester: string | null = 'Ann') =>
  transcriptOf(comment(body, author_id), isMessaging, requester)?.map(({ speaker, text }) => `${speaker}: ${text}`) ??
  null

describe('a transcript', () => {
  it.each([
    ['(08:00:00) Ann: It burns\n(08:01:00) Acme Support: Which one?', ['Ann: It burns', 'Acme Support: Which one?']],
    ['(08:00:00) Ann: It burns (08:01:00) Acme Support: Which one?', ['Ann: It burns', 'Acme Support: Which one?']],
    [
      'Conversation with Ann\nChannel: WhatsApp\n\n(8:00 AM) Ann: It burns\nand smokes\n\n(8:01 PM) Ash: Oh',
      ['Ann: It burns\nand smokes', 'Ash: Oh'],
    ],
    ['(08:00) Ann: at (08:00) the dog: barks\n(08:01) Ash: ok', ['Ann: at (08:00) the dog: barks', 'Ash: ok']],
    ['(08:00:00) Ann: see --\nOn 2 Mar 2026, Anna wrote:\n> me', ['Ann: see --\nOn 2 Mar 2026, Anna wrote:\n> me']],
    ['(08:00:00) *** Ann joined ***\n(08:00:01) Ann uploaded: a.png\n(08:00:02) Ann: Hi', ['Ann: Hi']],
    ['(08:00:00) Ann: \0\ud800a', ['Ann: \ufffda']],
  ])('is read message by message: %j', (body, expected) => {
    expect(said(body)).toEqual(expected)
  })

  it('is read from its HTML where it has no plain text', () => {
    const html = '<div class="zd-comment"><p>(08:00:00) Ann: It burns<br>(08:01:00) Ash: Oh</p></div>'
    const lines = transcriptOf({ ...comment(''), html_body: html }, true, 'Ann')
    expect(lines?.map(({ speaker }) => speaker)).toEqual(['Ann', 'Ash'])
  })

  it.each([
    ['a sentence', 'It burns since 08:00, see (08:00:00) Ann: no', 7, true],
    ['a sentence before one, which would be lost', 'It burns.\n(08:00:00) ERROR: disk full', 7, true],
    ['a log in a mail', '(08:00:00) ERROR: disk full\n(08:00:01) INFO: stopped', 7, false],
    ['times that are none', '(25:00:00) Ann: hi\n(08:61:00) Ash: oh', -1, true],
    ['a person’s words after a time', '(08:30) is when it broke', 7, true],
    ['nothing', '', -1, true],
  ])('is none: %s', (_, body, author, isMessaging) => {
    expect(said(body, author, isMessaging)).toBeNull()
  })

  it('in a mail is one if its requester and somebody else speak', () => {
    expect(said('(08:00:00) ANN: hi\n(08:01:00) Ash: oh', 7, false)).toEqual(['ANN: hi', 'Ash: oh'])
    expect(said('(08:00:00) Ann: hi\n(08:01:00) Ann: oh', 7, false)).toBeNull()
  })

  it('of 60 kB without an end is read in a moment', () => {
    expect(said(`(08:00:00) ${'a '.repeat(30_000)}`)).toEqual([])
    expect(said(`(08:00:00) Ann: ${'(08:00:00) '.repeat(6000)}`)).toHaveLength(1)
  })
})

describe('the times of a transcript', () => {
  const lines = (...clocks: string[]) =>
    clocks.map((clock) => ({ seconds: Date.parse(`1970-01-01T${clock}Z`) / 1000, speaker: 'Ann', text: 'x' }))
  const times = (created: string, ...clocks: string[]) =>
    timesOf(lines(...clocks), new Date(created)).map((time) => time.toISOString().slice(0, 19))

  it('are in UTC where they can be, also over midnight', () => {
    expect(times('2026-03-01T08:05:00Z', '08:00:00', '08:01:00')).toEqual([
      '2026-03-01T08:00:00',
      '2026-03-01T08:01:00',
    ])
    expect(times('2026-03-01T00:05:00Z', '23:59:00', '00:01:00')).toEqual([
      '2026-02-28T23:59:00',
      '2026-03-01T00:01:00',
    ])
  })

  it('end with the comment in another time zone', () => {
    expect(times('2026-03-01T08:05:00Z', '10:00:00', '10:04:00')).toEqual([
      '2026-03-01T08:01:00',
      '2026-03-01T08:05:00',
    ])
  })
})
