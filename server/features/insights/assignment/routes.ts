import { ContractError } from '@groundswell/contract/errors.ts'
import { type AssignmentChange, assignInsights } from '@groundswell/contract/insights/assignment.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { lockMembers, rolesIn } from '../../workspaces/index.ts'
import { setEventAuthor } from '../corrections/correction-store.ts'
import { raiseRevision } from '../revision.ts'
import { notePersonChange } from '../store.ts'
import { lockAssignments, writeAssignments } from './store.ts'

/** Called in the transaction that assigns insights to people other than the caller. */
export type AssignmentHooks = {
  assigned: (tx: Tx, caller: Caller, changes: readonly { issueNumber: number; accountId: string }[]) => Promise<void>
}

/** The call by which a person assigns insights. */
export function assignmentRoutes(services: Services, hooks?: AssignmentHooks): Handler[] {
  return [
    handle(assignInsights, ({ caller, body: { changes } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, accountId, name, email } = caller
        // Nobody leaves or becomes a viewer meanwhile.
        await lockMembers(tx, workspaceId)
        const revision = await raiseRevision(tx, workspaceId)
        const { made, undo } = await planChanges(tx, workspaceId, changes)
        const at = services.now()
        await setEventAuthor(tx, name || email)
        await writeAssignments(tx, workspaceId, made, revision)
        const numbers = made.map((one) => one.issue_number)
        await notePersonChange(tx, workspaceId, numbers, at)
        const others = made.flatMap(({ issue_number: issueNumber, assigned_to: to }) =>
          to === null || to === accountId ? [] : [{ issueNumber, accountId: to }],
        )
        if (others.length > 0) await hooks?.assigned(tx, caller, others)
        return { undo }
      }),
    ),
  ]
}

/** The changes that make a difference, the last of each insight, and their inverse. Throws `not_found` and `conflict`. */
async function planChanges(
  tx: Tx,
  workspaceId: string,
  changes: readonly AssignmentChange[],
): Promise<{ made: AssignmentChange[]; undo: AssignmentChange[] }> {
  const wanted = new Map(changes.map((one) => [one.issue_number, one]))
  const roles = new Map((await rolesIn(tx, workspaceId)).map(({ accountId, role }) => [accountId, role]))
  const found = await lockAssignments(tx, workspaceId, [...wanted.keys()])
  const made: AssignmentChange[] = []
  const undo: AssignmentChange[] = []
  for (const [number, change] of wanted) {
    const { assigned_to: to, replaces } = change
    const now = found.get(number)
    const role = to === null ? null : roles.get(to)
    const mayWork = role !== undefined && role !== 'viewer'
    if (replaces !== undefined && (!now?.shown || now.assignedTo !== replaces || !mayWork)) continue
    if (!now?.shown) throw new ContractError('not_found', `There is no insight #${number}`)
    if (role === undefined) throw new ContractError('not_found', 'There is no such person in the workspace')
    if (!mayWork) {
      throw new ContractError('conflict', 'A viewer cannot change insights: an owner can make them a member first')
    }
    if (now.assignedTo === to) continue
    made.push(change)
    undo.push({ issue_number: number, assigned_to: now.assignedTo, replaces: to })
  }
  return { made, undo }
}
