import { HeldBanner } from '../deliveries/index.ts'
import { ReadingHint } from './emerging/reading-hint.tsx'
import { MergeStrip } from './suggestions/merge-strip.tsx'

/** Above the list: what waits to be pushed, what is being read for meaning, and which insights look like one subject. */
export function ListNotices({ className }: { className: string }) {
  return (
    <>
      <HeldBanner className={className} />
      <ReadingHint className={className} />
      <MergeStrip className={className} />
    </>
  )
}
