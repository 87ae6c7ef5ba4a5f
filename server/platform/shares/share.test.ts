import { describe, expect, it } from 'vitest'
import { exceedsShare, type Held, type Waiting } from './share.ts'

const nobody: Waiting = { colleague: false, otherWorkspace: false }
const colleague: Waiting = { colleague: true, otherWorkspace: false }
const workspace: Waiting = { colleague: false, otherWorkspace: true }
const both: Waiting = { colleague: true, otherWorkspace: true }
const alone = (own: number): Held => ({ own, workspace: own, all: own })

describe('the share of 100', () => {
  it.each<[string, number, Held, Waiting]>([
    ['is all of it while nobody waits', 100, alone(1), nobody],
    ['is what the others have left', 70, { own: 1, workspace: 21, all: 31 }, nobody],
    ['is half of it while a colleague waits', 50, alone(1), colleague],
    ['is half of what the others have left', 35, { own: 1, workspace: 21, all: 31 }, colleague],
    ['of a workspace is half of it while another one waits', 50, alone(1), workspace],
    ['of a workspace is half of what the others have left', 30, { own: 1, workspace: 1, all: 41 }, workspace],
    ['of a person is half of what their workspace has, if both wait', 25, alone(1), both],
    ['of a person does not grow with what other workspaces leave', 20, { own: 1, workspace: 11, all: 11 }, both],
  ])('%s', (_what, share, held, waiting) => {
    expect(exceedsShare(100, share - held.own, held, waiting)).toBe(share + held.all - held.own > 100)
    expect(exceedsShare(100, share - held.own + 1, held, waiting)).toBe(waiting !== nobody)
  })

  it('lets everyone have their first', () => {
    expect(exceedsShare(100, 60, { own: 0, workspace: 0, all: 30 }, both)).toBe(false)
    expect(exceedsShare(100, 60, { own: 0, workspace: 30, all: 30 }, colleague)).toBe(false)
  })

  it('of a workspace is not exceeded by the first of one more person', () => {
    expect(exceedsShare(100, 1, { own: 0, workspace: 50, all: 50 }, workspace)).toBe(true)
  })
})
