import {
  type Attribute,
  listAttributeInsights,
  listAttributes,
  readAttributes,
} from '@groundswell/contract/insights/attributes.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { isFilled } from '../../customers/index.ts'
import { readInsightsWith, readValues } from './list-store.ts'
import { readChosen } from './value-store.ts'
import { inOrder, isOffered } from './worthy.ts'

const MAX_NAMES = 30

/** The calls that list the attributes of messages, and the insights with chosen values of them. */
export function attributeRoutes(services: Services): Handler[] {
  return [
    handle(listAttributes, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({
        attributes: await viewAttributes(tx, workspaceId),
        complete: await isFilled(tx, workspaceId),
      })),
    ),

    handle(listAttributeInsights, ({ caller: { workspaceId }, query: { attributes } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({
        issue_numbers: await readInsightsByAttributes(tx, workspaceId, attributes),
      })),
    ),
  ]
}

/** The shown insights with chosen values, as `readAttributes` reads them; without any, all that are shown. */
export async function readInsightsByAttributes(tx: Tx, workspaceId: string, text: string): Promise<number[]> {
  return readInsightsWith(tx, workspaceId, await readChosen(tx, workspaceId, readAttributes(text)))
}

async function viewAttributes(tx: Tx, workspaceId: string): Promise<Attribute[]> {
  const names = [...Map.groupBy(await readValues(tx, workspaceId), ({ nameKey }) => nameKey).values()]
  return names
    .flatMap((rows) => {
      const values = rows.flatMap(({ value, messages }) => (value === null ? [] : [{ value, messages }]))
      const [first] = rows
      if (!first || values.length < rows.length || !isOffered(values)) return []
      return [
        {
          name: first.name,
          messages: values.reduce((sum, one) => sum + one.messages, 0),
          values: inOrder(values),
        },
      ]
    })
    .sort((a, b) => b.messages - a.messages || a.name.localeCompare(b.name))
    .slice(0, MAX_NAMES)
}
