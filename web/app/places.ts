import { Building2, ChartColumn, MessagesSquare, ScrollText, Send, Upload, Wrench } from 'lucide-react'
import { allFeedback } from '../features/insights/ungrouped/all-feedback-address.ts'
import type { Place } from './sidebar.tsx'

/** Screens of our own server below the sidebar's first entries. */
export const MORE_PLACES: readonly Place[] = [
  { to: allFeedback({}), label: 'Feedback', Icon: MessagesSquare },
  { to: '/customers', label: 'Customers', Icon: Building2 },
  { to: '/reports', label: 'Reports', Icon: ChartColumn },
]

/** Places in the user menu. */
export const MENU_PLACES: readonly Place[] = [
  { to: '/import', label: 'Import', Icon: Upload },
  { to: '/deliveries', label: 'Deliveries', Icon: Send },
]

/** Places in the user menu that only administrators see. */
export const ADMIN_MENU_PLACES: readonly Place[] = [
  { to: '/admin/jobs', label: 'Background jobs', Icon: Wrench },
  { to: '/admin/audit', label: 'Audit log', Icon: ScrollText },
]
