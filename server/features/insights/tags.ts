import { ContractError } from '@groundswell/contract/errors.ts'
import type { setInsightTags } from '@groundswell/contract/insight-detail.ts'
import type { Category } from '@groundswell/contract/insights.ts'
import type { BodyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { raiseRevision } from './revision.ts'
import { markInsights, readInsight } from './store.ts'
import { clearPersonTag, noteTagged, readTagNames, readTags, type TagRow, writePersonTag } from './tag-store.ts'

type Change = BodyOf<typeof setInsightTags>['changes'][number]

/** Colours that keep apart in light and dark; a value has the same one everywhere. */
const COLOURS = ['#2f7ed8', '#c2571a', '#3f8f3f', '#a8489b', '#8a6d1f', '#6f5fc9', '#b83a4b', '#2a8f8f']

/** A tag's value as the contract has it. */
export function viewTag({ tag, kind, value, colour, setBy }: TagRow): Category {
  return { cat_name: tag, cat_type: kind, option_value: value, option_colour: colour, set_by: setBy }
}

/**
 * Writes what a person says about tags of a shown insight, and returns all its tags. It counts from then on, whatever the
 * engine finds. Throws `not_found`, or `invalid_input` for a tag that the settings do not have.
 */
export async function changeTags(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  changes: readonly Change[],
): Promise<Category[]> {
  const revision = await raiseRevision(tx, workspaceId)
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const names = new Set(await readTagNames(tx, workspaceId))
  for (const [at, change] of changes.entries()) {
    if (!names.has(change.cat_name)) {
      throw new ContractError('invalid_input', 'There is no such tag: add it under Settings', {
        [`body.changes.${at}.cat_name`]: 'not a tag of this workspace',
      })
    }
    if ('automatic' in change) {
      await clearPersonTag(tx, workspaceId, issueNumber, change.cat_name)
    } else {
      const { cat_name: tag, option_value: value } = change
      await writePersonTag(tx, workspaceId, issueNumber, {
        tag,
        kind: typeof value === 'number' ? 'number' : 'category',
        value,
        colour: typeof value === 'string' ? colourOf(value) : null,
      })
      await noteTagged(tx, workspaceId, issueNumber, tag, value === null ? null : String(value))
    }
  }
  await markInsights(tx, workspaceId, [issueNumber], revision)
  return (await readTags(tx, workspaceId, [issueNumber])).map(viewTag)
}

/** One of the fixed colours, always the same for the same text. */
function colourOf(value: string): string {
  let sum = 0
  for (const letter of value.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return COLOURS[sum % COLOURS.length] as string
}
