import type { TagExample, TagPreview } from '@groundswell/contract/insights/tags.ts'
import type { Tag } from '@groundswell/contract/settings.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { findTags, optionsOf, readTagsAs } from './reader.ts'
import { readLastInsights } from './work-store.ts'

const MAX_INSIGHTS = 200
const MAX_EXAMPLES = 5

/** How tags are read, and with `onInsights` the values that they would have on the 200 most recently updated insights. */
export async function previewTagValues(
  tx: Tx,
  workspaceId: string,
  tags: readonly Tag[],
  { now, onInsights }: { now: Date; onInsights: boolean },
): Promise<TagPreview[]> {
  const insights = onInsights ? await readLastInsights(tx, workspaceId, MAX_INSIGHTS) : []
  // By index and not by name: two tags may have the same name.
  const reader = await readTagsAs(new Map(tags.map((tag, index) => [String(index), tag])))
  const found = await findTags(tx, workspaceId, reader, insights, now, { words: true })
  return reader.tags.map(({ name: index, plan }) => {
    const examples = insights.flatMap(({ issueNumber, name }): TagExample[] => {
      const finding = found.get(issueNumber)?.find(({ tag }) => tag === index)
      return finding ? [{ issue_number: issueNumber, issue_name: name, option_value: finding.value }] : []
    })
    return {
      name: tags[Number(index)]?.name ?? '',
      cat_type: plan.kind === 'none' ? null : plan.kind,
      understood: plan.understood,
      insights: insights.length,
      matched: examples.length,
      options: optionsOf(plan).map(({ value, colour }) => {
        const mine = examples.filter((example) => example.option_value === value)
        return { option_value: value, option_colour: colour, count: mine.length, examples: mine.slice(0, MAX_EXAMPLES) }
      }),
      examples: plan.kind === 'category' ? [] : highest(examples),
    }
  })
}

function highest(examples: readonly TagExample[]): TagExample[] {
  return [...examples].sort((a, b) => Number(b.option_value) - Number(a.option_value)).slice(0, MAX_EXAMPLES)
}
