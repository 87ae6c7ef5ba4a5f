import { createHash } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { setFeedbackKind } from '@groundswell/contract/insights/kinds.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { requestGrouping } from '../grouping/jobs.ts'
import { lockVersion } from '../grouping/stores/state-store.ts'
import { foldKinds } from './count-store.ts'
import { readKindOf, storeKindCorrection } from './store.ts'

/** The call by which a person sets the kind of a mention. */
export function kindRoutes(services: Services): Handler[] {
  return [
    handle(setFeedbackKind, ({ caller: { workspaceId, name, email }, body: { mention, kind } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const [itemId, number] = mention.split(':').map(Number) as [item: number, number: number]
        await lockVersion(tx, workspaceId)
        const found = await readKindOf(tx, workspaceId, itemId, number)
        if (!found) throw new ContractError('not_found', 'There is no such mention')
        const { text, engineKind, setBy } = found
        const before = { kind: found.kind, set_by: setBy }
        if (kind === null ? setBy === 'engine' : setBy === 'person' && found.kind === kind)
          return { mention, kind: found.kind, before }
        const hash = createHash('sha256').update(text).digest('hex')
        const correction = { itemId, number, text, hash, kind, engineKind }
        await storeKindCorrection(tx, workspaceId, correction, { person: name || email, at: services.now() })
        await foldKinds(tx, workspaceId, null)
        await requestGrouping(services)(tx, workspaceId)
        return { mention, kind: kind ?? engineKind, before }
      }),
    ),
  ]
}
