import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { forgetGroups } from '../grouping/run.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from './fresh-workspace.ts'
import { messages } from './testing.ts'
import { beginCorrection, endCorrection, readCorrectionWork } from './work.ts'

useFreshWorkspaces()

const kinds = {
  merge: () => ({ kind: 'merge', into: mail }),
  split: (mentions) => ({ kind: 'split', mentions: mentions.slice(0, 5) }),
  move: (mentions) => ({ kind: 'move', mentions: mentions.slice(0, 3), to: mail }),
  'move of all': (mentions) => ({ kind: 'move', mentions, to: mail }),
  'move to none': (mentions) => ({ kind: 'move', mentions: mentions.slice(0, 2), to: null }),
  reject: (mentions) => ({ kind: 'reject', mentions: mentions.slice(1, 4) }),
  'reject of all': (mentions) => ({ kind: 'reject', mentions }),
  rename: () => ({ kind: 'rename', name: 'Another name' }),
  lock: () => ({ kind: 'lock', locked: true }),
} satisfies Record<string, (mentions: string[]) => CorrectionRequest>

describe('undo', () => {
  test.each(Object.entries(kinds))('a %s leaves everything exactly as it was', async (_, requestFor) => {
    await corrected.apply(csv, { kind: 'reject', mentions: [await corrected.mentionOf('m8')] })
    await corrected.apply(mail, { kind: 'rename', name: 'Mails are lost' })
    const last = await corrected.lastNumber()
    const before = await corrected.hash(last)
    const { correction_id: id, state } = await corrected.apply(csv, requestFor(await corrected.mentions(csv)))
    expect(state).toBe('applied')
    expect(await corrected.hash(last)).not.toBe(before)
    const { status } = await corrected.undo(id)
    expect(status).toBe(200)
    await corrected.group()
    expect(await corrected.correction(id)).toMatchObject({ state: 'undone', undone_by: 'A', can_undo: false })
    expect(await corrected.hash(last)).toBe(before)
    expect((await corrected.undo(id)).status).toBe(409)
  })

  test('of a merge that is large enough for hash joins leaves everything exactly as it was', async () => {
    await world.store(corrected.workspace, messages(1_200, 80))
    await corrected.group()
    const last = await corrected.lastNumber()
    const before = await corrected.hash(last)
    const { correction_id: id, changes } = await corrected.apply(csv, { kind: 'merge', into: mail })
    expect(changes.reduce((sum, one) => sum + one.mentions_before, 0)).toBeGreaterThan(600)
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql<{ rules: number; found: number }>`select
        (select count(*)::int from statement_rule where correction_id = ${id}::uuid) as rules,
        (select count(*)::int from correction_statement where correction_id = ${id}::uuid) as found`.execute(tx),
    )
    expect(rows[0]?.rules).toBe(changes.reduce((sum, one) => sum + one.mentions_before, 0))
    expect(rows[0]?.found).toBe(changes[0]?.mentions_before)
    await corrected.undo(id)
    await corrected.group()
    expect((await corrected.correction(id)).state).toBe('undone')
    expect(await corrected.hash(last)).toBe(before)
  })

  test('of one correction after another, last first, restores the first state, also in a process that lost its memory', async () => {
    const last = await corrected.lastNumber()
    const hashes: string[] = []
    const ids: string[] = []
    for (const request of [
      kinds.move(await corrected.mentions(csv)),
      kinds.merge(),
      { kind: 'split', mentions: [await corrected.mentionOf('m1'), await corrected.mentionOf('m4')] },
      { kind: 'lock', locked: true },
    ] as CorrectionRequest[]) {
      hashes.push(await corrected.hash(last))
      const about = ids.length < 2 ? csv : mail
      ids.push((await corrected.apply(about, request)).correction_id)
    }
    await forgetGroups(world.services)
    await world.inside(corrected.workspace, (tx) =>
      sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
    )
    while (ids.length > 0) {
      expect((await corrected.undo(String(ids.pop()))).status).toBe(200)
      await corrected.group()
      expect(await corrected.hash(last)).toBe(hashes.pop())
    }
  })

  test('of a correction that still waits: nothing was ever changed', async () => {
    const last = await corrected.lastNumber()
    const before = await corrected.hash(last)
    const { body } = await corrected.request(csv, { kind: 'merge', into: mail })
    expect(await corrected.undo(body.correction_id)).toMatchObject({ status: 200, body: { state: 'undone' } })
    await corrected.group()
    expect(await corrected.hash(last)).toBe(before)
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'undone' })
  })

  test('keeps what came later: new messages and corrections of other mentions', async () => {
    const own = await corrected.mentions(csv)
    const merge = await corrected.apply(csv, { kind: 'merge', into: mail })
    const [moved = ''] = own
    const dark = Number(await corrected.issueOf('m2'))
    await corrected.apply(mail, { kind: 'move', mentions: [moved], to: dark })
    await world.store(corrected.workspace, messages(40, 80))
    await corrected.group()
    // Not a mention with the same words as the moved one: that moved too.
    const news = await corrected.mentionOf('m84')
    expect(await corrected.mentions(mail)).toContain(news)
    await corrected.undo(merge.correction_id)
    await corrected.group()
    expect(await corrected.mentions(dark)).toContain(moved)
    expect(await corrected.mentions(csv)).toEqual(expect.arrayContaining(own.slice(1)))
    expect(await corrected.mentions(csv)).not.toContain(moved)
    await world.store(corrected.workspace, messages(40, 120))
    await corrected.group()
    expect(await corrected.issueOf('m120')).toBe(csv)
    expect(await corrected.issueOf('m121')).toBe(mail)
  })

  test('is refused with a reason when a later correction replaced it, and possible again once that is undone', async () => {
    const dark = Number(await corrected.issueOf('m2'))
    const first = await corrected.apply(csv, { kind: 'merge', into: mail })
    const second = await corrected.apply(mail, { kind: 'merge', into: dark })
    expect(await corrected.undo(first.correction_id)).toMatchObject({
      status: 409,
      body: { message: 'A later correction has replaced it: undo that one first' },
    })
    expect((await corrected.correction(first.correction_id)).can_undo).toBe(false)
    await corrected.undo(second.correction_id)
    await corrected.group()
    expect((await corrected.correction(first.correction_id)).can_undo).toBe(true)
    await corrected.undo(first.correction_id)
    await corrected.group()
    expect(await corrected.issueOf('m0')).toBe(csv)
  })

  test('restores a name given by a person when a later one is undone', async () => {
    const one = await corrected.request(csv, { kind: 'rename', name: 'First' })
    const two = await corrected.request(csv, { kind: 'rename', name: 'Second' })
    expect((await corrected.undo(one.body.correction_id)).status).toBe(409)
    expect(await corrected.undo(two.body.correction_id)).toMatchObject({ body: { state: 'undone' } })
    const name = async () => (await corrected.list()).find((insight) => insight.issue_number === csv)?.issue_name
    await expect.poll(name).toBe('First')
  })

  test('of a rename or lock is refused while a later one of the same insight stands', async () => {
    for (const [one, other] of [
      [
        { kind: 'rename', name: 'Same' },
        { kind: 'rename', name: 'Other' },
      ],
      [
        { kind: 'lock', locked: true },
        { kind: 'lock', locked: false },
      ],
    ] as [CorrectionRequest, CorrectionRequest][]) {
      const first = await corrected.apply(csv, one)
      await corrected.apply(csv, other)
      const last = await corrected.apply(csv, one)
      expect(await corrected.undo(first.correction_id)).toMatchObject({
        status: 409,
        body: { message: 'The same correction was made again since: undo that one first' },
      })
      expect((await corrected.correction(first.correction_id)).can_undo).toBe(false)
      expect((await corrected.undo(last.correction_id)).status).toBe(200)
    }
  })

  test('of two corrections of one mention, in the order in which they were made, restores the state before both', async () => {
    const last = await corrected.lastNumber()
    const before = await corrected.hash(last)
    const [one = '', other = ''] = await corrected.mentions(csv)
    const dark = Number(await corrected.issueOf('m2'))
    const first = await corrected.apply(csv, { kind: 'move', mentions: [one, other], to: mail })
    const second = await corrected.apply(mail, { kind: 'move', mentions: [one], to: dark })
    for (const { correction_id: id } of [first, second]) {
      expect((await corrected.undo(id)).status).toBe(200)
      await corrected.group()
      expect((await corrected.correction(id)).state).toBe('undone')
    }
    expect(await corrected.mentions(csv)).toEqual(expect.arrayContaining([one, other]))
    expect(await corrected.hash(last)).toBe(before)
  })

  test('keeps a name that was given while the undo was in progress', async () => {
    const merge = await corrected.apply(csv, { kind: 'merge', into: mail })
    await corrected.undo(merge.correction_id)
    const work = await world.inside(corrected.workspace, (tx) => readCorrectionWork(tx, corrected.workspace))
    if (!work) throw new Error('there is no undo')
    expect((await corrected.request(mail, { kind: 'rename', name: 'Given meanwhile' })).status).toBe(200)
    await world.inside(corrected.workspace, async (tx) => {
      const found = await beginCorrection(tx, corrected.workspace, work, world.now)
      expect(await endCorrection(tx, corrected.workspace, work, found, world.now)).toBe(true)
    })
    expect(await corrected.nameOf(mail)).toBe('Given meanwhile')
  })

  test.each([
    ['engine', true, null, 1],
    ['person', false, 'mail', 0],
  ] as const)(
    'of a move does not return a mention to an insight that absorbed one it was rejected from, unless a person had placed it: by the %s',
    async (_, byEngine, home, bans) => {
      const mention = await corrected.mentionOf('m0')
      await corrected.request(csv, { kind: 'move', mentions: [mention], to: mail })
      await corrected.request(csv, { kind: 'reject', mentions: [mention] })
      await corrected.group()
      const dark = Number(await corrected.issueOf('m2'))
      const { correction_id: id } = await corrected.apply(mail, { kind: 'move', mentions: [mention], to: dark })
      await corrected.apply(csv, { kind: 'merge', into: mail })
      await world.inside(corrected.workspace, async (tx) => {
        if (byEngine)
          await sql`update correction_statement set pin = null where correction_id = ${id}::uuid`.execute(tx)
      })
      expect((await corrected.undo(id)).status).toBe(200)
      await corrected.group()
      expect(await corrected.issueOf('m0')).toBe(home === null ? null : mail)
      const { rows } = await world.inside(corrected.workspace, (tx) =>
        sql<{ bans: number }>`
          select cardinality(bans) as bans from statement_rule where item_id || ':' || number = ${mention}`.execute(tx),
      )
      expect(rows).toEqual([{ bans }])
    },
  )
})
