import type { TableColumn } from './column.ts'
import { kindColumn } from './kind.tsx'

export const customersColumn = {
  ...kindColumn,
  id: 'customers',
  label: 'Customers',
  sort: ({ customer_count }) => customer_count ?? null,
  cell: ({ insight }) => insight.customer_count,
} as const satisfies TableColumn

export const revenueColumn = {
  ...customersColumn,
  id: 'revenue',
  label: 'Revenue',
  sort: ({ revenue }) => revenue ?? null,
  cell: ({ insight }) => insight.revenue?.toLocaleString(),
} as const satisfies TableColumn
