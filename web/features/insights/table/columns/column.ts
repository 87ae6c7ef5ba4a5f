import type { Insight } from '@groundswell/contract/insights.ts'
import type { ReactNode } from 'react'

/** What a cell is drawn from. */
export type CellProps = {
  insight: Insight
  /** The row's index in the list. */
  index: number
  isOpen: boolean
  /** This row is the keyboard's active row. */
  isActive: boolean
  /** How many of its mentions arrived since the person's last visit. */
  added: number
  /** The ids of the columns that are shown. */
  shown: ReadonlySet<string>
}

/** A column of the table: its file and a line in `index.ts`. */
export type TableColumn = {
  /** Its id in the address (`?sort=`) and in the stored choice of columns. */
  id: string
  label: string
  /** People can hide it. */
  hideable: boolean
  /** The classes of its header cell, and of every cell. */
  header: string
  className: string
  cell: (props: CellProps) => ReactNode
}
