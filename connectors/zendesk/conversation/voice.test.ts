import { describe, expect, it } from 'vitest'
import type { CallPost } from '../../sandbox/zendesk/records.ts'
import type { Comment } from '../schema.ts'
import { drain, fill, openZendesk, signedIn } from '../testing.ts'
import { isCall, voicemailText } from './voice.ts'

/** What a ticket with these calls yields, each with what its caller wrote before. */
async function read(...calls: Partial<CallPost>[]) {
  await using zendesk = await openZendesk()
  fill(
    zendesk,
    calls.map((call) => ({
      subject: 'Call with Ann',
      channel: 'voice',
      requester: 'Ann',
      comments: [
        { author: 'Ann', text: 'written words' },
        {
          author: 'Agent Ash',
          as: 'agent',
          text: '',
          call: { answeredBy: null, location: 'Berlin, Germany', ...call },
        },
      ],
    })),
  )
  return await drain(await signedIn(zendesk))
}

describe('the record of a call', () => {
  it.each([
    ['that somebody answered', { answeredBy: 7 }],
    ['that somebody answered, with what both said', { answeredBy: 7, transcription: 'Hi Ann. It burns.' }],
    ['to a mailbox, without words', {}],
    ['to a mailbox, with blank words', { transcription: ' ' }],
  ])('%s is neither feedback nor context', async (_, call) => {
    const { items, complete, incomplete } = await read(call)
    expect(items.map(({ text }) => text)).toEqual(['written words'])
    expect(complete[0]?.ids).toEqual(items.map(({ externalId }) => externalId))
    expect(incomplete).toBeNull()
  })

  it('of a voicemail is what the caller said, and nothing else of it', async () => {
    const { items } = await read({ transcription: 'The printer burns\0' })
    expect(items).toHaveLength(2)
    expect(items[1]).toMatchObject({ text: 'The printer burns', author: 'Ann', role: 'customer' })
    expect(JSON.stringify(items)).not.toMatch(/Location|Berlin|\+49|recording/)
  })
})

describe('a voicemail', () => {
  const record = (more: Partial<Comment>): Comment => ({
    id: 1,
    type: 'VoiceComment',
    created_at: '2026-03-01T08:05:00Z',
    ...more,
  })
  const body = 'Voicemail from: +1 555\nTranscription: It burns\nand smokes\nLocation: Berlin, Germany'

  it('has its words as data or in its text', () => {
    expect(voicemailText(record({ data: { transcription_text: ' It burns ' }, body: 'x' }))).toBe('It burns')
    expect(voicemailText(record({ body }))).toBe('It burns\nand smokes')
    expect(voicemailText(record({ body: 'Location: Berlin, Germany' }))).toBeNull()
    expect(voicemailText(record({}))).toBeNull()
  })

  it.each([
    [{ source: { rel: 'voicemail' } }, 7, true],
    [{ source: { rel: 'inbound' } }, null, false],
    [{ source: { rel: 'outbound' } }, null, false],
    [null, null, true],
    [null, 7, false],
  ])('is one by how it came and whether it was answered: %j, %j', (via, answered_by_id, expected) => {
    expect(voicemailText(record({ via, data: { answered_by_id }, body })) !== null).toBe(expected)
  })

  it.each([
    ['VoiceComment', true],
    ['TpeVoiceComment', true],
    ['Comment', false],
    [null, false],
  ])('is the record of a call by its type: %j', (type, expected) => {
    expect(isCall(record({ type }))).toBe(expected)
  })
})
