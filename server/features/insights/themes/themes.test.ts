import type { Theme, ThemeMove } from '@groundswell/contract/insights/themes.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { MeantWorkspace } from '../emerging/testing.ts'
import { forgetGroups } from '../grouping/run.ts'
import { dropSnapshot } from '../grouping/stores/state-store.ts'
import { storeThemes } from '../grouping/stores/theme-store.ts'
import { World } from '../testing.ts'

/** Each insight is about its theme and about something of its own. */
const told = (theme: string, own: string, prefix: string, each = 3) =>
  Array.from({ length: each }, (_, n) => ({
    id: `${prefix}${n}`,
    text: `${WORDS[n % WORDS.length]} ${own} ${theme}`,
    about: [theme, theme, own, own, own],
  }))
const WORDS = ['about the', 'again with the', 'question on the']

let meant: MeantWorkspace
/** The numbers of the insights, by the letter of their messages. */
let of: Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f', number>
const world = duringTests(() => World.start())
/** Insights a to c are about the export, d and e about the calendar, f about a robot. */
beforeEach(async () => {
  meant = new MeantWorkspace(world, await world.workspace())
  await meant.say([
    ...told('export', 'zebra', 'a'),
    ...told('export', 'umbrella', 'b'),
    ...told('export', 'piano', 'c'),
    ...told('calendar', 'volcano', 'd'),
    ...told('calendar', 'lemon', 'e'),
    ...told('robot', 'robot', 'f'),
  ])
  await meant.understand()
  const places = await meant.places()
  const numberOf = (letter: string) => places.get(`${letter}0`)?.issue ?? 0
  of = { a: numberOf('a'), b: numberOf('b'), c: numberOf('c'), d: numberOf('d'), e: numberOf('e'), f: numberOf('f') }
})

type Answer<T> = { status: number; etag: string; body: T }
function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  return world.call(meant.workspace, method, `/api/insights${path}`, headers, payload) as Promise<Answer<T>>
}
const list = async () => (await call<{ themes: Theme[] }>('GET', '/themes')).body.themes
const named = async (name: string) => (await list()).find((theme) => theme.name === name)
const idOf = async (name: string) => (await named(name))?.theme_id ?? 0
/** Each theme with the letters of its insights. */
const shown = async () =>
  (await list()).map((theme) => [
    theme.name,
    theme.issue_numbers
      .map((number) => letterOf(number))
      .sort()
      .join(''),
  ])
const letterOf = (number: number) => Object.entries(of).find(([, one]) => one === number)?.[0] ?? '?'
const move = async (issue: number, theme: number | null) =>
  (await call<ThemeMove>('PUT', `/${issue}/theme`, { theme_id: theme })).body
/** Rebuilds the state from what is stored, and revises it with another message. */
async function rebuild(id: string): Promise<void> {
  await forgetGroups(world.services)
  await world.inside(meant.workspace, (tx) => dropSnapshot(tx, meant.workspace))
  await meant.say([{ id, text: `${id} ${id}`, about: ['nothing'] }, ...told('robot', 'robot', id)])
  await meant.understand()
}
const FOUND = [
  ['Export', 'abc'],
  ['Calendar', 'de'],
]

test('insights about one thing are listed as a theme, with the mentions of all of them', async () => {
  expect(await shown()).toEqual(FOUND)
  const { etag, body } = await call<{ themes: Theme[] }>('GET', '/themes')
  expect(body.themes[0]).toMatchObject({ mention_count: 9, by_person: false, trend: [0, 0, 9, 0, 0, 0, 0, 0] })
  const connect = vi.spyOn(world.services.db.pool, 'connect')
  expect((await call('GET', '/themes', undefined, { 'if-none-match': etag })).status).toBe(304)
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
  const before = world.now
  world.now = new Date(before.getTime() + 7 * 86_400_000)
  const later = await call<{ themes: Theme[] }>('GET', '/themes', undefined, { 'if-none-match': etag })
  world.now = before
  expect(later.body.themes[0]?.trend).toEqual([0, 9, 0, 0, 0, 0, 0, 0])
})

test('a deleted insight is not counted, and a theme of one insight is not listed', async () => {
  await world.call(meant.workspace, 'DELETE', `/api/insights/${of.e}`)
  expect(await shown()).toEqual([['Export', 'abc']])
  await world.call(meant.workspace, 'POST', `/api/insights/${of.e}/restore`)
  expect(await shown()).toEqual(FOUND)
})

describe('what a person decides stays when the groups are rebuilt, and is undone by its inverse:', () => {
  test('a name', async () => {
    const id = await idOf('Export')
    const renamed = await call('PATCH', `/themes/${id}`, { name: ' Downloads ' })
    expect(renamed.body).toEqual({ theme_id: id, before: null })
    await rebuild('q')
    expect(await named('Downloads')).toMatchObject({ theme_id: id, by_person: true })
    expect(await shown()).toContainEqual(['Downloads', 'abc'])
    expect((await call('PATCH', `/themes/${id}`, { name: null })).body).toEqual({ theme_id: id, before: 'Downloads' })
    expect(await shown()).toEqual(FOUND)
  })

  test('an insight moved to another theme, and to none', async () => {
    const [exports, calendar] = [await idOf('Export'), await idOf('Calendar')]
    expect((await move(of.c, calendar)).before).toEqual({ theme_id: exports, by_person: false })
    expect((await move(of.b, null)).before).toEqual({ theme_id: exports, by_person: false })
    expect((await move(of.b, calendar)).before).toEqual({ theme_id: null, by_person: true })
    await move(of.b, null)
    await rebuild('q')
    expect(await shown()).toEqual([['Calendar', 'cde']])
    await call('DELETE', `/${of.c}/theme`)
    expect((await call<ThemeMove>('DELETE', `/${of.b}/theme`)).body.before).toEqual({ theme_id: null, by_person: true })
    await rebuild('r')
    expect((await shown()).map(([, letters]) => letters)).toEqual(['abc', 'de'])
  })

  test('a removed theme', async () => {
    const id = await idOf('Export')
    expect((await call('DELETE', `/themes/${id}`)).status).toBe(200)
    await rebuild('q')
    expect(await shown()).toEqual([['Calendar', 'de']])
    expect((await call('DELETE', `/themes/${id}`)).status).toBe(404)
    expect((await call('POST', `/themes/${id}/restore`)).status).toBe(200)
    expect(await shown()).toEqual(FOUND)
  })

  test('their own theme', async () => {
    const { body } = await call<{ theme_id: number }>('POST', '/themes', { name: 'Machines' })
    expect(await named('Machines')).toMatchObject({ issue_numbers: [], by_person: true })
    await move(of.f, body.theme_id)
    await rebuild('q')
    expect(await named('Machines')).toMatchObject({ theme_id: body.theme_id, issue_numbers: [of.f] })
    await call('DELETE', `/themes/${body.theme_id}`)
    expect(await shown()).toEqual(FOUND)
  })
})

test('two themes have different names', async () => {
  const id = await idOf('Calendar')
  expect((await call('POST', '/themes', { name: 'export' })).status).toBe(409)
  expect((await call('PATCH', `/themes/${id}`, { name: 'EXPORT' })).status).toBe(409)
  expect((await call('PATCH', `/themes/${id}`, { name: 'calendar' })).status).toBe(200)
})

test('what is not there, or of another workspace, is not found', async () => {
  const id = await idOf('Export')
  const other = await world.workspace()
  const answers = [
    await world.call(other, 'PATCH', `/api/insights/themes/${id}`, {}, { name: 'x' }),
    await world.call(other, 'DELETE', `/api/insights/themes/${id}`),
    await world.call(other, 'PUT', `/api/insights/${of.a}/theme`, {}, { theme_id: null }),
    await call('PUT', `/${of.a}/theme`, { theme_id: 999 }),
    await call('PUT', '/99/theme', { theme_id: id }),
    await call('POST', `/themes/${id}/restore`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
})

test('what a person changed while the engine planned stays', async () => {
  const lastId = 2
  const { body } = await call<{ theme_id: number }>('POST', '/themes', { name: 'Machines' })
  expect(body.theme_id).toBe(3)
  await move(of.a, 3)
  await world.inside(meant.workspace, (tx) =>
    storeThemes(tx, meant.workspace, { planned: [{ id: 3, name: 'Fruit', insightIds: [of.a, of.e, of.f] }], lastId }),
  )
  const { rows } = await world.inside(meant.workspace, (tx) =>
    sql`select id, name, person_name from theme order by id`.execute(tx),
  )
  expect(rows).toEqual([
    { id: 3, name: '', person_name: 'Machines' },
    { id: 4, name: 'Fruit', person_name: null },
  ])
  await call('POST', '/themes', { name: 'Fifth' })
  expect(new Set((await shown()).map((one) => one.join(' ')))).toEqual(new Set(['Fifth ', 'Fruit ef', 'Machines a']))
})
