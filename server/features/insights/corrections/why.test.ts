import { Why } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { forgetGroups } from '../grouping/run.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from './fresh-workspace.ts'
import { CorrectedWorkspace, messages } from './testing.ts'

useFreshWorkspaces()

const why = async (issue: number, mention: string) => Why.parse((await corrected.why(issue, mention)).body)

test('a message that joined: the insights it was compared with, and the shared words', async () => {
  await world.store(corrected.workspace, [
    { id: 'new', text: 'Since Monday our CSV export stops after one thousand rows' },
  ])
  await corrected.group()
  const found = await why(csv, await corrected.mentionOf('new'))
  expect(found).toMatchObject({
    decided_by: 'engine',
    person: null,
    rule: 'It is closest to mentions of this insight.',
    engine_version: expect.stringMatching(/^\d+$/),
    model: null,
    prompt_version: null,
  })
  expect(found.terms).toEqual(expect.arrayContaining(['export']))
  expect(found.candidates[0]).toEqual({
    issue_number: csv,
    name: (await corrected.list()).find((one) => one.issue_number === csv)?.issue_name,
    score: found.score,
    chosen: true,
  })
})

test('a mention that a revision moved: the words that it shares with the others', async () => {
  const found = await why(csv, await corrected.mentionOf('m0'))
  expect(found).toMatchObject({
    decided_by: 'engine',
    rule: expect.stringContaining('A comparison of all mentions found'),
  })
  expect(found.terms).toEqual(expect.arrayContaining(['csv', 'export', 'rows']))
  expect(found.candidates.find((one) => one.chosen)?.issue_number).toBe(csv)
  expect(found.score).toBeGreaterThan(0.3)
})

test('a mention in another language: its words with the same meaning', async () => {
  await world.store(corrected.workspace, [
    { id: 'de', text: 'Der CSV-Export bricht nach den ersten tausend Zeilen ab', author: 'de' },
    ...messages(40, 80),
  ])
  await corrected.group()
  const found = await why(csv, await corrected.mentionOf('de'))
  expect(found.decided_by).toBe('engine')
  expect(found.terms).toEqual(expect.arrayContaining(['csv', 'export']))
  expect(found.meant).toEqual(expect.arrayContaining(['zeilen ≈ rows']))
})

test('a mention that a person moved: who did it, before and after a restart, an edit and more messages', async () => {
  const mention = await corrected.mentionOf('m0')
  await corrected.apply(csv, { kind: 'move', mentions: [mention], to: mail })
  const said = { decided_by: 'person', person: 'A', rule: 'A moved it here.', terms: [], meant: [], score: 1 }
  expect(await why(mail, mention)).toMatchObject(said)
  await forgetGroups(world.services)
  await world.store(corrected.workspace, [{ id: 'm0', text: 'CSV export stops after the first thousand rows' }])
  await world.store(corrected.workspace, messages(40, 80))
  await corrected.group()
  expect(await why(mail, mention)).toMatchObject(said)
})

test('a mention that a person confirmed where it was', async () => {
  const [one = '', two = ''] = await corrected.mentions(csv)
  await corrected.apply(csv, { kind: 'split', mentions: [one] })
  const found = await why(csv, two)
  expect(found).toMatchObject({ decided_by: 'engine', person: 'A' })
  expect(found.rule).toContain('A split an insight in two. So it stays here.')
})

test('an undone correction leaves the earlier reason', async () => {
  const mention = await corrected.mentionOf('m0')
  const before = await why(csv, mention)
  const { correction_id: id } = await corrected.apply(csv, { kind: 'move', mentions: [mention], to: mail })
  await corrected.undo(id)
  await corrected.group()
  expect(await why(csv, mention)).toEqual(before)
})

test('only for mentions that are in the insight', async () => {
  const mention = await corrected.mentionOf('m0')
  expect((await corrected.why(mail, mention)).status).toBe(404)
  expect((await corrected.why(csv, '999999:0')).status).toBe(404)
  expect((await corrected.why(csv, 'nonsense')).status).toBe(400)
  const other = await CorrectedWorkspace.create(world, 40)
  expect((await other.why(csv, mention)).status).toBe(404)
})

test('a mention that a revision moved by its vector: the name of the model, and only if the mention had a vector', async () => {
  const [withVector, without] = [await corrected.mentionOf('m0'), await corrected.mentionOf('m1')]
  const [item, number] = withVector.split(':')
  await world.inside(corrected.workspace, async (tx) => {
    await sql`insert into embedding_choice (workspace_id, space, chosen_at)
      values (${corrected.workspace}, 'openai-compatible/org/small', '2000-01-01')`.execute(tx)
    await sql`insert into statement_vector (workspace_id, space, item_id, number, text_hash, vector)
      values (${corrected.workspace}, 'openai-compatible/org/small', ${item}::bigint, ${Number(number)}, '\\x00', '\\x0000803f7f00')`.execute(
      tx,
    )
  })
  expect(await why(csv, withVector)).toMatchObject({ decided_by: 'engine', model: 'org/small', prompt_version: null })
  expect(await why(mail, without)).toMatchObject({ decided_by: 'engine', model: null, prompt_version: null })
})

test('a mention that shares no word with the others: the same meaning is given as the reason', async () => {
  const mention = await corrected.mentionOf('m0')
  await world.inside(corrected.workspace, (tx) =>
    sql`update feedback_item set text = repeat('z', length(text))
      where id <> ${mention.split(':')[0]}::bigint`.execute(tx),
  )
  const found = await why(csv, mention)
  expect(found.terms).toEqual([])
  expect(found.rule).toContain('means the same as these, in other words')
})
