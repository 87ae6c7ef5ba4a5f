import { expect, it } from 'vitest'
import { stateText } from './insight-page.ts'

it('says in plain words how far the work is', () => {
  const told = (status: 'created' | 'pushed' | 'resolved' | 'regressed', teamStatus: 'planned' | null = null) =>
    stateText({ status, team_status: teamStatus })
  expect([told('created'), told('pushed'), told('resolved'), told('regressed')]).toEqual([
    'New',
    'In progress',
    'Resolved',
    'Reported again',
  ])
  expect(told('pushed', 'planned')).toBe('Planned')
})
