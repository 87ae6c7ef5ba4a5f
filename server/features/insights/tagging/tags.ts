import { ContractError } from '@groundswell/contract/errors.ts'
import type { setInsightTags, TagChange } from '@groundswell/contract/insights/insight-detail.ts'
import type { Category } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readSettings } from '../../settings/index.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights, notePersonChange, readInsight } from '../store.ts'
import { colourOf } from './colours.ts'
import { optionsOf, readerOf } from './reader.ts'
import { addTagEvent, clearPersonTag, readTags, type TagRow, writePersonTag } from './store.ts'
import { markChecked } from './work-store.ts'

/** A stored tag in the contract's form. */
export function viewTag({ tag, kind, value, colour, setBy }: TagRow): Category {
  return { cat_name: tag, cat_type: kind, option_value: value, option_colour: colour, set_by: setBy }
}

/**
 * Stores a person's values for tags of a shown insight and returns all its tags, with the changes that undo it. They take precedence
 * over the engine's. Throws `not_found`, or `invalid_input` for a tag that is not in the settings.
 */
export async function changeTags(
  services: Pick<Services, 'caches' | 'now'>,
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  changes: readonly TagChange[],
): Promise<ReplyOf<typeof setInsightTags>> {
  const revision = await raiseRevision(tx, workspaceId)
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const { categories } = await readSettings(tx, workspaceId)
  const tags = new Map((await readerOf(services, categories)).tags.map((tag) => [tag.name, tag.plan]))
  const before = await readTags(tx, workspaceId, [issueNumber])
  const undo = new Map<string, TagChange>()
  for (const [at, change] of changes.entries()) {
    const plan = tags.get(change.cat_name)
    if (!plan) {
      throw new ContractError('invalid_input', 'There is no such tag: add it under Settings', {
        [`body.changes.${at}.cat_name`]: 'not a tag of this workspace',
      })
    }
    undo.set(change.cat_name, restoring(change.cat_name, before))
    if ('automatic' in change) {
      await clearPersonTag(tx, workspaceId, issueNumber, change.cat_name)
    } else {
      const { cat_name: tag, option_value: value } = change
      await writePersonTag(tx, workspaceId, issueNumber, {
        tag,
        kind: typeof value === 'number' ? 'number' : 'category',
        value,
        colour:
          typeof value === 'string'
            ? colourOf(
                value,
                optionsOf(plan).map((option) => option.value),
              )
            : null,
      })
      await addTagEvent(tx, workspaceId, issueNumber, tag, value === null ? null : String(value))
    }
  }
  await markChecked(tx, workspaceId, [issueNumber], revision)
  await markInsights(tx, workspaceId, [issueNumber], revision)
  await notePersonChange(tx, workspaceId, [issueNumber], services.now())
  const after = await readTags(tx, workspaceId, [issueNumber])
  return { categories: after.map(viewTag), undo: [...undo.values()] }
}

/** The change that gives a tag what it had: a person's value, or the engine's. */
function restoring(name: string, before: readonly TagRow[]): TagChange {
  const had = before.find(({ tag, setBy }) => tag === name && setBy === 'person')
  return had ? { cat_name: name, option_value: had.value } : { cat_name: name, automatic: true }
}
