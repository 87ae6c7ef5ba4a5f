import { describe, expect, it } from 'vitest'
import { choices } from './choices.ts'
import { includesChannel, selectionOf } from './selection.ts'
import { openTeams, signedIn } from './testing.ts'

const TENANT = { tenant: 'acme.example' }
const now = new Date('2026-03-01T12:00:00Z')

describe('the choices', () => {
  it('are a date and teams at first', async () => {
    await using teams = await openTeams()
    const found = await choices(await signedIn(teams))
    expect(found.map(({ field, required, kind }) => [field, required ?? false, kind ?? 'select'])).toEqual([
      ['start_date', false, 'date'],
      ['teams', true, 'select'],
    ])
    expect(found[1]?.options).toEqual([{ value: teams.tenant.team.id, label: 'Tallybrook' }])
  })

  it('are channels of the chosen teams then, by name, and of these the shared ones', async () => {
    await using teams = await openTeams()
    for (const name of ['Support', 'Feedback', 'Partners']) teams.tenant.channel(name)
    teams.tenant.channel('Partners').membership = 'shared'
    const team = teams.tenant.team.id
    const key = (name: string) => `${team}/${teams.tenant.channel(name).id}`
    const context = await signedIn(teams, { settings: { teams: [team], channels: [key('Partners'), key('Support')] } })
    const [, , channels, shared] = await choices(context)
    expect(channels).toMatchObject({
      field: 'channels',
      dependsOn: ['teams'],
      options: [
        { label: 'Tallybrook › Feedback', value: key('Feedback') },
        { label: 'Tallybrook › Partners', hint: 'Shared with other organisations' },
        { label: 'Tallybrook › Support' },
      ],
    })
    expect(shared?.options.map(({ value }) => value)).toEqual([key('Partners'), key('Support')])
  })

  it('contain a channel as soon as it exists', async () => {
    await using teams = await openTeams()
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    expect((await choices(context))[2]?.options).toHaveLength(0)
    teams.tenant.channel('New')
    expect((await choices(context))[2]?.options).toHaveLength(1)
  })
})

describe('what is chosen', () => {
  const select = (given: Record<string, string[]>) => selectionOf({ ...TENANT, ...given }, now)

  it.each([
    [{ teams: ['t'] }, 't', 'c', true],
    [{ teams: ['t'] }, 'u', 'c', false],
    [{ teams: ['t', 'u'], channels: ['t/c'] }, 't', 'c', true],
    [{ teams: ['t', 'u'], channels: ['t/c'] }, 't', 'd', false],
    [{ teams: ['t', 'u'], channels: ['t/c'] }, 'u', 'd', true],
    [{ teams: ['t'], channels: ['u/c'] }, 'u', 'c', false],
    [{ channels: ['t/c'] }, 't', 'c', true],
    [{ channels: ['t/c'] }, 'u', 'c', false],
  ])('%j: team %s, channel %s is %s', (given: Record<string, string[]>, team, channel, included) => {
    expect(includesChannel(select(given), team, channel)).toBe(included)
  })

  it.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['1900-01-01', 0],
    ['31.1.2026', now.getTime() - 240 * 86_400_000],
    ['2026-99-99', now.getTime() - 240 * 86_400_000],
    [undefined, now.getTime() - 240 * 86_400_000],
  ])('starts at %s', (date, start) => {
    expect(select(date ? { start_date: [date] } : {}).start).toBe(start)
  })
})
