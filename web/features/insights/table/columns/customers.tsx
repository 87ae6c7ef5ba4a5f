import type { TableColumn } from './column.ts'
import { kindColumn } from './kind.tsx'

export const customersColumn = {
  ...kindColumn,
  id: 'customers',
  label: 'Customers',
  sort: (insight) => insight.customer_count ?? null,
  cell: ({ insight }) => insight.customer_count,
} as const satisfies TableColumn

export const revenueColumn = {
  ...kindColumn,
  id: 'revenue',
  label: 'Revenue',
  sort: (insight) => insight.revenue ?? null,
  cell: ({ insight }) => insight.revenue?.toLocaleString('en', { notation: 'compact' }),
} as const satisfies TableColumn
