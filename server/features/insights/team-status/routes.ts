import { ContractError } from '@groundswell/contract/errors.ts'
import { setTeamStatus, type TeamStatusChange } from '@groundswell/contract/insights/team-status.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { setEventAuthor } from '../corrections/correction-store.ts'
import { raiseRevision } from '../revision.ts'
import { notePersonChange } from '../store.ts'
import { lockTeamStatuses, writeTeamStatuses } from './store.ts'

/** The call by which a person sets the team status of insights. */
export function teamStatusRoutes(services: Services): Handler[] {
  return [
    handle(setTeamStatus, ({ caller: { workspaceId, name, email }, body: { changes } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        // The lock on the revision keeps a step of grouping from merging one of them meanwhile.
        const revision = await raiseRevision(tx, workspaceId)
        const { made, undo } = await planChanges(tx, workspaceId, changes)
        const person = name || email
        const at = services.now()
        await setEventAuthor(tx, person)
        await writeTeamStatuses(tx, workspaceId, made, { person, at, revision })
        await notePersonChange(
          tx,
          workspaceId,
          made.map((one) => one.issue_number),
          at,
        )
        return { undo }
      }),
    ),
  ]
}

/** The changes that make a difference, the last of each insight, and their inverse. Throws `not_found`. */
async function planChanges(
  tx: Tx,
  workspaceId: string,
  changes: readonly TeamStatusChange[],
): Promise<{ made: TeamStatusChange[]; undo: TeamStatusChange[] }> {
  const wanted = new Map(changes.map((one) => [one.issue_number, one]))
  const found = await lockTeamStatuses(tx, workspaceId, [...wanted.keys()])
  const made: TeamStatusChange[] = []
  const undo: TeamStatusChange[] = []
  for (const [number, change] of wanted) {
    const now = found.get(number)
    if (change.replaces !== undefined && (!now?.shown || now.value !== change.replaces)) continue
    if (!now?.shown) throw new ContractError('not_found', `There is no insight #${number}`)
    const automatic = now.by === null
    if (now.value === change.team_status && automatic === (change.automatic ?? false)) continue
    made.push(change)
    undo.push({ issue_number: number, team_status: now.value, automatic, replaces: change.team_status })
  }
  return { made, undo }
}
