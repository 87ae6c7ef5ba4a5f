import type { Insight } from '@groundswell/contract/insights.ts'
import { EmergingSection } from './emerging/emerging-section.tsx'
import { SelectionBar } from './selection/selection-bar.tsx'

// What appears around the table after the first look is fetched together.
export { ListNotices } from './list-notices.tsx'
export { SmallFold } from './table/small-fold.tsx'
export { VisitStrip } from './visits/visit-strip.tsx'

/** The parts below the table, which has these rows. */
export function BelowTable({ rows }: { rows: readonly Insight[] }) {
  return (
    <>
      <SelectionBar rows={rows} />
      <EmergingSection />
    </>
  )
}
