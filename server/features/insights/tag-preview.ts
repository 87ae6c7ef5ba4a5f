import type { Tag } from '@groundswell/contract/settings.ts'
import type { TagExample, TagPreview } from '@groundswell/contract/tags.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { findTags, optionsOf, readerOf } from './tag-reader.ts'
import { readLastInsights } from './tag-work-store.ts'

const INSIGHTS = 200
const EXAMPLES = 5

/** What tags would do on the last 200 insights, one by one: each is read as if it were the only one of its name. */
export async function tryTags(tx: Tx, workspaceId: string, tags: readonly Tag[], now: Date): Promise<TagPreview[]> {
  const insights = await readLastInsights(tx, workspaceId, INSIGHTS)
  const previews: TagPreview[] = []
  for (const tag of tags) {
    const reader = readerOf([tag])
    const found = await findTags(tx, workspaceId, reader, insights, now, { words: true })
    const examples = insights.flatMap(({ issueNumber, name }): TagExample[] =>
      (found.get(issueNumber) ?? []).map(({ value }) => ({
        issue_number: issueNumber,
        issue_name: name,
        option_value: value,
      })),
    )
    for (const { plan } of reader.tags) {
      previews.push({
        name: tag.name,
        cat_type: plan.kind === 'none' ? null : plan.kind,
        understood: plan.understood,
        insights: insights.length,
        matched: examples.length,
        options: optionsOf(plan).map(({ value, colour }) => {
          const mine = examples.filter((example) => example.option_value === value)
          return { option_value: value, option_colour: colour, count: mine.length, examples: mine.slice(0, EXAMPLES) }
        }),
        examples: plan.kind === 'category' ? [] : highest(examples),
      })
    }
  }
  return previews
}

function highest(examples: readonly TagExample[]): TagExample[] {
  return [...examples].sort((a, b) => Number(b.option_value) - Number(a.option_value)).slice(0, EXAMPLES)
}
