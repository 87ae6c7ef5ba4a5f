import { describe, expect, it } from 'vitest'
import { attributesOf } from '../attributes.ts'
import { Conversation } from '../schema.ts'
import { openHelpScout, signedIn } from '../testing.ts'
import { changedAt, isAbsent, signatureOf, waitingOf } from './conversation.ts'

/** A conversation as it is parsed from a response. */
const conversation = (more: Record<string, unknown> = {}): Conversation =>
  Conversation.parse({
    id: 1234,
    number: 15_473,
    threads: 2,
    type: 'email',
    status: 'closed',
    state: 'published',
    subject: 'Need Help',
    preview: 'I’m having a hard time',
    mailboxId: 85,
    createdAt: '2026-03-01T10:00:00Z',
    userUpdatedAt: '2026-03-02T10:00:00Z',
    customerWaitingSince: { time: '2026-03-01T10:00:00Z' },
    tags: [{ id: 1, tag: 'vip' }],
    primaryCustomer: { id: 7 },
    customFields: [],
    _links: { web: { href: 'https://secure.helpscout.net/conversation/1234/15473' } },
    ...more,
  })
const inboxes = new Map([[85, 'Support']])

describe('the attributes of a conversation', () => {
  const attributes = (more: Record<string, unknown> = {}) => attributesOf(conversation(more), inboxes)

  it('are subject, inbox, status, channel, tags, company, and custom fields by name and option', () => {
    const customFields = [
      { id: 6688, name: 'Plan', value: '33077', text: 'Professional' },
      { id: 6689, name: 'Version', value: '4.2' },
      { id: 6690, value: 'without a name' },
      { id: 6691, name: 'Empty', value: '', text: '' },
      { id: 6692, name: 'Seats', value: 12 },
    ]
    const primaryCustomer = { id: 7, organization: 'Acme' }
    const tags = [{ tag: 'vip' }, { tag: 'two words' }]
    expect(attributes({ customFields, primaryCustomer, tags })).toEqual({
      subject: 'Need Help',
      inbox: 'Support',
      organisation: 'Acme',
      status: 'closed',
      channel: 'email',
      tags: 'vip, two words',
      Plan: 'Professional',
      Version: '4.2',
      'Field 6690': 'without a name',
      Seats: '12',
    })
  })

  it('leave out what is not there', () => {
    const more = { subject: null, mailboxId: 99, tags: [], primaryCustomer: { id: 7, company: ' ' } }
    expect(attributes(more)).toEqual({ status: 'closed', channel: 'email' })
  })

  it('never let a custom field replace another one, and are cut and cleaned', () => {
    const customFields = [
      { id: 1, name: 'status', value: 'mine' },
      { id: 2, name: 'Long', value: `${'v'.repeat(400)}\0` },
      { id: 3, name: 'Nul', value: 'a\0b' },
    ]
    expect(attributes({ customFields })).toMatchObject({ status: 'closed', Long: 'v'.repeat(300), Nul: 'ab' })
    const lots = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: `field ${index}`, value: 'x' }))
    expect(Object.keys(attributes({ customFields: lots }))).toHaveLength(40)
  })
})

describe('the signature of a conversation', () => {
  it('differs for every change, and contains nothing of the text', () => {
    const changes = [
      { userUpdatedAt: '2026-03-02T10:00:01Z' },
      { threads: 3 },
      { status: 'active' },
      { mailboxId: 86 },
      { subject: 'Needs more help' },
      // A customer who writes twice in a row does not change the time.
      { preview: 'And another thing' },
      { customerWaitingSince: { time: '' } },
      { tags: [] },
      { customFields: [{ id: 1, name: 'Plan', value: 'x' }] },
    ]
    const signatures = [{}, ...changes].map((more) => signatureOf(conversation(more)))
    expect(new Set(signatures).size).toBe(changes.length + 1)
    expect(signatureOf(conversation())).toBe(signatures[0])
    for (const signature of signatures) expect(signature).toMatch(/^[\w-]{10}$/)
  })
})

describe('a conversation', () => {
  it.each([
    [{}, false],
    [{ status: 'active' }, false],
    [{ status: 'pending' }, false],
    [{ status: 'spam' }, true],
    [{ state: 'deleted' }, true],
    [{ state: 'draft' }, true],
  ])('%j is absent: %s', (more, absent) => {
    expect(isAbsent(conversation(more))).toBe(absent)
  })

  it('has the time of its last change, or of its creation', () => {
    expect(changedAt(conversation())).toBe(Date.parse('2026-03-02T10:00:00Z'))
    expect(changedAt(conversation({ userUpdatedAt: null }))).toBe(Date.parse('2026-03-01T10:00:00Z'))
  })

  it.each([
    [{}, 'https://secure.helpscout.net/conversation/1234/15473'],
    [{ _links: { web: { href: 'https://acme.helpscout.example/c/1' } } }, 'https://acme.helpscout.example/c/1'],
    [{ _links: {} }, 'https://secure.helpscout.net/conversation/1234/15473'],
    [{ _links: null }, 'https://secure.helpscout.net/conversation/1234/15473'],
    [{ _links: { web: { href: 'javascript:alert(1)' } } }, 'https://secure.helpscout.net/conversation/1234/15473'],
    [{ _links: { web: { href: 'http://a.example' } } }, 'https://secure.helpscout.net/conversation/1234/15473'],
    [{ _links: {}, number: null }, 'https://secure.helpscout.net/conversation/1234/1234'],
  ])('%j links to %s', async (more, link) => {
    await using sandbox = await openHelpScout()
    const [waiting] = await waitingOf(await signedIn(sandbox), [conversation(more)])
    expect(waiting?.link).toBe(link)
  })

  it('has the name of its inbox, which is requested once an hour, and none where that is refused', async () => {
    await using sandbox = await openHelpScout()
    sandbox.open({ subject: 'a', threads: [{ author: 'Ann', text: 'x' }], inbox: 'Support' })
    let now = Date.now()
    const context = await signedIn(sandbox, { now: () => new Date(now) })
    const inboxOf = async () => (await waitingOf(context, [conversation()]))[0]?.attributes.inbox
    const requests = () => sandbox.calls().filter(({ name }) => name === 'mailboxes').length
    expect([await inboxOf(), await inboxOf()]).toEqual(['Support', 'Support'])
    expect(requests()).toBe(1)
    now += 3_600_001
    sandbox.fault('forbidden', 1, 'mailboxes')
    expect(await inboxOf()).toBeUndefined()
    now += 3_600_001
    sandbox.fault('500', 1, 'mailboxes')
    await expect(inboxOf()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await inboxOf()).toBe('Support')
    expect(requests()).toBe(4)
  })
})
