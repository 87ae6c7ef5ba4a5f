import { postponeDescription, readDescribed, readUndescribed } from '../../../insights/index.ts'
import type { Backlog } from '../../task.ts'
import type { NameCase } from './name-case.ts'

/** Insights wait one by one: each is left alone for a while after a call about it failed. */
export const backlog: Backlog<NameCase> = {
  isDue: async (tx, workspaceId, askedWith, now) => {
    return (await readUndescribed(tx, workspaceId, { ...askedWith, now }, 1)).length > 0
  },
  finish: async () => undefined,
  postpone: async ({ services, workspaceId, askedWith, inside }, one, reason) => {
    if (one && (reason === 'rejected' || reason === 'unavailable')) {
      await inside(async (tx) => {
        const described = await readDescribed(tx, workspaceId, one.issueNumber)
        if (described) await postponeDescription(tx, workspaceId, described, askedWith, services.now())
      })
    }
    return 'next'
  },
}
