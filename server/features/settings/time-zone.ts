import { ContractError } from '@groundswell/contract/errors.ts'
import { getTimeZone, setTimeZone } from '@groundswell/contract/values/time-zone.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { isKnownZone, readTimeZone, writeTimeZone } from '../workspaces/index.ts'

/** The calls about the time zone of a workspace. */
export function timeZoneRoutes(services: Services): Handler[] {
  return [
    handle(getTimeZone, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, (tx) => viewTimeZone(tx, workspaceId)),
    ),

    handle(setTimeZone, ({ body: { time_zone: zone, unless_chosen }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        if (!(await isKnownZone(tx, zone))) {
          const message = 'This is not a time zone such as Europe/Berlin'
          throw new ContractError('invalid_input', message, { 'body.time_zone': message })
        }
        await writeTimeZone(tx, workspaceId, zone, unless_chosen === true)
        return viewTimeZone(tx, workspaceId)
      }),
    ),
  ]
}

async function viewTimeZone(tx: Tx, workspaceId: string): Promise<{ time_zone: string; chosen: boolean }> {
  const zone = await readTimeZone(tx, workspaceId)
  return { time_zone: zone ?? 'UTC', chosen: zone !== null }
}
