import type { Tag } from '@groundswell/contract/settings.ts'
import type { TagExample, TagPreview } from '@groundswell/contract/tags.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { findTags, optionsOf, readTagsAs } from './reader.ts'
import { readLastInsights } from './work-store.ts'

const INSIGHTS = 200
const EXAMPLES = 5

/** What tags would do on the last 200 insights. */
export async function tryTags(tx: Tx, workspaceId: string, tags: readonly Tag[], now: Date): Promise<TagPreview[]> {
  const insights = await readLastInsights(tx, workspaceId, INSIGHTS)
  // By place and not by name: two may have the same.
  const reader = await readTagsAs(new Map(tags.map((tag, place) => [String(place), tag])))
  const found = await findTags(tx, workspaceId, reader, insights, now, { words: true })
  return reader.tags.map(({ name: place, plan }) => {
    const examples = insights.flatMap(({ issueNumber, name }): TagExample[] => {
      const finding = found.get(issueNumber)?.find(({ tag }) => tag === place)
      return finding ? [{ issue_number: issueNumber, issue_name: name, option_value: finding.value }] : []
    })
    return {
      name: tags[Number(place)]?.name ?? '',
      cat_type: plan.kind === 'none' ? null : plan.kind,
      understood: plan.understood,
      insights: insights.length,
      matched: examples.length,
      options: optionsOf(plan).map(({ value, colour }) => {
        const mine = examples.filter((example) => example.option_value === value)
        return { option_value: value, option_colour: colour, count: mine.length, examples: mine.slice(0, EXAMPLES) }
      }),
      examples: plan.kind === 'category' ? [] : highest(examples),
    }
  })
}

function highest(examples: readonly TagExample[]): TagExample[] {
  return [...examples].sort((a, b) => Number(b.option_value) - Number(a.option_value)).slice(0, EXAMPLES)
}
