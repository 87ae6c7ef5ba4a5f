import { ReadingHint } from './emerging/reading-hint.tsx'
import { MergeStrip } from './suggestions/merge-strip.tsx'

/** Above the list: what is being read for meaning, and which insights look like one subject. */
export function ListNotices({ className }: { className: string }) {
  return (
    <>
      <ReadingHint className={className} />
      <MergeStrip className={className} />
    </>
  )
}
