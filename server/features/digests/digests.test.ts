import { Digest, type DigestChoice } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { queryAccounts } from '../../platform/db/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { markPushed, markRegressed, markResolved } from '../insights/index.ts'
import { sendDueMails } from './send.ts'
import { MailWorld } from './testing.ts'

let workspace: string
let address: string

const DAILY: DigestChoice = {
  frequency: 'daily',
  weekday: 1,
  hour: 9,
  time_zone: 'Europe/Berlin',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
}

const world = duringTests(() => MailWorld.start())
beforeEach(async () => {
  world.now = new Date('2026-03-02T10:20:00Z')
  ;({ workspace, address } = await world.member('ann'))
})

const choose = async (choice: DigestChoice) => {
  const answer = await world.call(workspace, 'PUT', '/api/digest', choice)
  const { statusCode: status } = answer
  return { status, digest: status === 200 ? Digest.parse(answer.json()) : null }
}
const digest = async () => Digest.parse((await world.call(workspace, 'GET', '/api/digest')).json())
const states = async () => (await digest()).mails.map(({ state }) => state)
const mails = () => world.mailsTo(address)
const sweepAt = async (time: string) => {
  world.now = new Date(time)
  await sendDueMails(world.services)
}

/** Mentions of an insight at that time; the first make it. */
const insight = (number: number, at: string, count = 4) => world.mention(workspace, number, { at, count })
const rename = (number: number, name: string) =>
  world.inside(workspace, (tx) => sql`update insight set name = ${name} where issue_number = ${number}`.execute(tx))

describe('choosing', () => {
  test('it is off until a person chooses, and says when the next one is due', async () => {
    expect(await digest()).toMatchObject({ choice: null, next_at: null, ready: 'yes', mails: [] })
    const { digest: chosen } = await choose(DAILY)
    expect(chosen).toMatchObject({ choice: DAILY, next_at: '2026-03-03T08:00:00.000Z' })
    expect((await choose({ ...DAILY, frequency: 'off' })).digest).toMatchObject({ next_at: null })
    expect((await choose({ ...DAILY, time_zone: 'Mars/Olympus' })).status).toBe(400)
  })

  test('without a confirmed address it can only be turned off', async () => {
    await queryAccounts(world.services.db, 'update account set email_confirmed_at = null where id = $1', [workspace])
    expect((await digest()).ready).toBe('unconfirmed')
    expect((await choose(DAILY)).status).toBe(422)
    expect((await choose({ ...DAILY, frequency: 'off' })).status).toBe(200)
  })
})

describe('a digest', () => {
  test('says what is new, growing, regressed, shipped and waiting, with links, as text and as HTML, once', async () => {
    for (const number of [2, 3, 4]) await insight(number, '2026-02-01T10:00:00Z')
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z', 2)
    await rename(1, 'Export <fails>\n& "hangs"')
    await insight(2, '2026-03-02T12:00:00Z', 3)
    world.now = new Date('2026-03-02T13:00:00Z')
    await world.inside(workspace, async (tx) => {
      await markPushed(tx, workspace, 3)
      await markResolved(tx, workspace, 3)
      await sql`update insight set heard = heard + 1 where issue_number = 3`.execute(tx)
      await markRegressed(tx, workspace)
      await sql`update insight_event set at = ${world.now}`.execute(tx)
      await sql`update insight set team_status = 'shipped', team_status_by = 'Ann', team_status_at = ${world.now}
        where issue_number = 4`.execute(tx)
    })
    await sweepAt('2026-03-03T07:59:00Z')
    expect(mails()).toEqual([])
    await sweepAt('2026-03-03T08:00:00Z')
    await sweepAt('2026-03-03T08:01:00Z')
    await expect.poll(mails).toHaveLength(1)
    const [sent] = mails()
    expect(sent).toMatchObject({
      subject: 'Groundswell: 1 new, 1 growing, 1 regressed, 1 shipped, 3 waiting',
      from: 'groundswell@feedback.example',
    })
    expect(sent?.text).toContain('test, since Sunday 1 March at 11:20')
    expect(sent?.text).toContain(
      'NEW\n- Export <fails> & "hangs" (2 mentions)\n  https://feedback.example/insights?issue=1\n',
    )
    expect(sent?.text).toContain('GROWING\n- issue 2 (3 more, 7 mentions in all)')
    expect(sent?.text).toContain('REGRESSED\n- issue 3 (mentioned again after it was resolved)')
    expect(sent?.text).toContain('SHIPPED\n- issue 4 (asked for by 4 people)')
    expect(sent?.text).toContain('WAITING FOR REVIEW\n- issue 2 (7 mentions, not pushed yet)')
    expect(sent?.html).toContain('>Export &lt;fails&gt; &amp; &quot;hangs&quot;</a>')
    expect(sent?.html).not.toMatch(/<img|<style|<script|<link|src=|url\(/)
    expect(sent?.messageId).toMatch(/^<[\da-f-]{36}@feedback\.example>$/)
    expect(await states()).toEqual(['sent'])
    expect((await digest()).next_at).toBe('2026-03-04T08:00:00.000Z')
  })

  test('none is sent when nothing happened, also if insights still wait', async () => {
    await insight(1, '2026-02-01T10:00:00Z')
    await choose(DAILY)
    await sweepAt('2026-03-03T08:00:00Z')
    expect(await states()).toEqual(['nothing'])
    expect(mails()).toEqual([])
    await insight(1, '2026-03-03T12:00:00Z', 1)
    await sweepAt('2026-03-04T08:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]?.subject).toBe('Groundswell: 1 waiting')
  })

  test('each says what happened since the one before', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    await sweepAt('2026-03-03T08:00:00Z')
    await insight(2, '2026-03-03T12:00:00Z')
    await sweepAt('2026-03-04T08:00:00Z')
    await expect.poll(mails).toHaveLength(2)
    expect(mails()[1]?.text).toContain('NEW\n- issue 2 ')
    expect(mails()[1]?.text.split('WAITING')[0]).not.toContain('issue 1')
  })

  test('a long list is cut off with its number', async () => {
    await choose(DAILY)
    for (let number = 1; number <= 12; number += 1) await insight(number, '2026-03-02T12:00:00Z', 2)
    await sweepAt('2026-03-03T08:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]).toMatchObject({ subject: 'Groundswell: 12 new' })
    expect(mails()[0]?.text).toContain('- and 2 more: https://feedback.example/insights\n')
  })

  test('a person whose account is banned, or who left, gets none', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    await queryAccounts(world.services.db, "update account set banned_until = '2027-01-01' where id = $1", [workspace])
    await sweepAt('2026-03-03T08:00:00Z')
    expect(mails()).toEqual([])
    await world.inside(workspace, (tx) => sql`delete from member`.execute(tx))
    await sweepAt('2026-03-04T08:00:00Z')
    expect(mails()).toEqual([])
  })
})

describe('the preview', () => {
  test('is what would be sent now, and changes nothing', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    world.now = new Date('2026-03-03T08:00:00Z')
    const answer = await world.call(workspace, 'GET', '/api/digest/preview?mail=daily')
    const preview = answer.json() as { subject: string; text: string; html: string; nothing: boolean }
    expect(preview.nothing).toBe(false)
    await sendDueMails(world.services)
    await expect.poll(mails).toHaveLength(1)
    const plain = (text = '') => text.replaceAll(/unsubscribe\/[\w-]+/g, 'unsubscribe/…').trim()
    expect(mails()[0]?.subject).toBe(preview.subject)
    expect(plain(mails()[0]?.text)).toBe(plain(preview.text))
    expect(plain(mails()[0]?.html)).toBe(plain(preview.html))
    const later = await world.call(workspace, 'GET', '/api/digest/preview?mail=daily')
    expect(later.json()).toMatchObject({ nothing: true, subject: 'Groundswell: nothing new' })
  })
})

describe('a mail server that refuses', () => {
  test('is asked again later, with the same Message-ID, and the mail arrives once', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    world.mail.refuse.next = 2
    await sweepAt('2026-03-03T08:00:00Z')
    expect((await digest()).mails).toMatchObject([{ state: 'waiting', error: expect.stringContaining('not now') }])
    await sweepAt('2026-03-03T08:00:30Z')
    expect(await states()).toEqual(['waiting'])
    await sweepAt('2026-03-03T08:01:00Z')
    expect(mails()).toEqual([])
    await sweepAt('2026-03-03T08:06:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect((await digest()).mails).toMatchObject([{ state: 'sent', error: null }])
    await sweepAt('2026-03-03T09:06:00Z')
    expect(mails()).toHaveLength(1)
  })

  test('is given up in the end, and the next digest says what this one could not', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    world.mail.refuse.next = 6
    for (const time of ['08:00', '08:01', '08:06', '08:36', '10:36', '16:36']) await sweepAt(`2026-03-03T${time}:00Z`)
    expect(await states()).toEqual(['refused'])
    await sweepAt('2026-03-04T08:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]?.subject).toBe('Groundswell: 1 new, 1 waiting')
  })
})

describe('unsubscribing', () => {
  const linkOf = (sent = mails()[0]) => new URL(/<(.+)>/.exec(sent?.headers['list-unsubscribe'] ?? '')?.[1] ?? '')
  const ask = (method: 'GET' | 'POST', path: string) =>
    world.app.inject({
      method,
      url: path,
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'List-Unsubscribe=One-Click' }
        : {}),
    })

  test('takes one request without a sign-in; opening the link only asks', async () => {
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    await sweepAt('2026-03-03T08:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    expect(mails()[0]?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const { pathname, origin, href } = linkOf()
    expect(origin).toBe('https://feedback.example')
    expect(mails()[0]?.text).toContain(`Unsubscribe: ${href}`)
    const page = await ask('GET', pathname)
    expect(page).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('<button>Unsubscribe</button>')
    expect((await digest()).choice?.frequency).toBe('daily')
    for (const time of [1, 2]) expect([time, (await ask('POST', pathname)).statusCode]).toEqual([time, 200])
    expect(await digest()).toMatchObject({ choice: { frequency: 'off', hour: 9 }, next_at: null })
    await insight(2, '2026-03-03T12:00:00Z')
    await sweepAt('2026-03-04T08:00:00Z')
    expect(mails()).toHaveLength(1)
  })

  test('an unknown link is not found, and the token is not stored', async () => {
    const unknown = await ask('GET', '/api/digest/unsubscribe/nonsense')
    expect([unknown.statusCode, unknown.body]).toEqual([200, expect.stringContaining('This link is not valid')])
    expect((await ask('POST', '/api/digest/unsubscribe/nonsense')).statusCode).toBe(404)
    await choose(DAILY)
    await insight(1, '2026-03-02T12:00:00Z')
    await sweepAt('2026-03-03T08:00:00Z')
    await expect.poll(mails).toHaveLength(1)
    const token = linkOf().pathname.split('/').at(-1) ?? ''
    const { rows } = await world.inside(workspace, (tx) => sql`select * from digest_mail`.execute(tx))
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain('issue 1')
  })
})
