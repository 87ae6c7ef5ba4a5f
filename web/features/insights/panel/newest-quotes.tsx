import type { Insight } from '@groundswell/contract/insights.ts'
import { Quoted } from './quoted.tsx'

const SHOWN = 3

/** Directly below the summary: what people said, the newest first, no text twice. The evidence further down has them all, in their messages. */
export function NewestQuotes({ insight }: { insight: Insight }) {
  const quotes = (insight.evidence ?? [])
    .filter(({ text }, place, all) => all.findIndex((one) => one.text === text) === place)
    .slice(0, SHOWN)
  if (quotes.length === 0) return null
  return (
    <div role="group" aria-label="Newest quotes" className="flex flex-col gap-3">
      {quotes.map((mention, place) => (
        <Quoted key={mention.id ?? place} mention={mention} />
      ))}
    </div>
  )
}
