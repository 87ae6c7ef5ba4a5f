import type { Insight } from '@groundswell/contract/insights.ts'
import type { ReactNode } from 'react'

export type CellProps = {
  insight: Insight
  /** The row's place in the list. */
  index: number
  isOpen: boolean
  /** The keyboard is on this row. */
  isActive: boolean
  /** The ids of the columns that are shown. */
  shown: ReadonlySet<string>
}

/** A column of the table. Its file and a line in `index.ts` are all there is to one. */
export type TableColumn = {
  /** As it stands in the address (`?sort=`) and in the stored choice of columns. */
  id: string
  label: string
  /** People can hide it. */
  hideable: boolean
  /** What it sorts by; null where an insight has nothing there, which comes last. */
  sort: (insight: Insight) => string | number | null
  /** The classes of its header cell, and of every cell. */
  header: string
  className: string
  cell: (props: CellProps) => ReactNode
}
