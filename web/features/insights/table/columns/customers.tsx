import type { TableColumn } from './column.ts'
import { kindColumn } from './kind.tsx'

export const customersColumn = {
  ...kindColumn,
  id: 'customers',
  label: 'Customers',
  cell: ({ insight }) => insight.customer_count,
} as const satisfies TableColumn

export const revenueColumn = {
  ...customersColumn,
  id: 'revenue',
  label: 'Revenue',
  cell: ({ insight }) => insight.revenue?.toLocaleString(),
} as const satisfies TableColumn
