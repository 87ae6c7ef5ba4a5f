import type { TableColumn } from './column.ts'
import { kindColumn } from './kind.tsx'

/** How many customers are behind the mentions. */
export const customersColumn = {
  ...kindColumn,
  id: 'customers',
  label: 'Customers',
  cell: ({ insight }) => insight.customer_count,
} as const satisfies TableColumn

/** The summed revenue of those customers; empty where none is known. */
export const revenueColumn = {
  ...customersColumn,
  id: 'revenue',
  label: 'Revenue',
  cell: ({ insight }) => insight.revenue?.toLocaleString(),
} as const satisfies TableColumn
