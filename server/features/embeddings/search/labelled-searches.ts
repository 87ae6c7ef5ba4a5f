/** A search, and the issue of the demo company whose messages it should find: a label of `connectors/sandbox/company/issues.json`. */
export type LabelledSearch = { label: string; words: string }

/** Searches as somebody types them who knows the words that customers use. */
export const SAME_WORDS: readonly LabelledSearch[] = [
  { label: 'csv-export-large-reports-fail', words: 'export report' },
  { label: 'sso-login-fails', words: 'saml response' },
  { label: 'mobile-timer-stops-in-background', words: 'timer phone' },
  { label: 'invoice-tax-rounding-wrong', words: 'tax rounding' },
  { label: 'slow-dashboard-large-workspaces', words: 'dashboard slow' },
  { label: 'calendar-sync-duplicates-entries', words: 'calendar twice' },
  { label: 'dark-mode-request', words: 'dark mode' },
  { label: 'bulk-edit-time-entries', words: 'bulk edit' },
  { label: 'accounting-sync-drops-invoices', words: 'invoices xero' },
  { label: 'approval-reminders-missing', words: 'reminder timesheets' },
  { label: 'offline-mode-entries-lost', words: 'offline entries' },
  { label: 'project-managers-see-hourly-rates', words: 'hourly rates' },
  { label: 'invoice-pdf-custom-branding', words: 'logo invoice' },
  { label: 'api-rate-limit-too-low', words: 'rate limit' },
  { label: 'seat-billing-confusing', words: 'charged users' },
  { label: 'timezone-shifts-entries', words: 'time zone' },
  { label: 'password-reset-email-never-arrives', words: 'password reset' },
  { label: 'recurring-invoices-request', words: 'recurring invoices' },
]

/** Searches in other words: no message of the issue has all of them, and hardly any has one. */
export const OTHER_WORDS: readonly LabelledSearch[] = [
  { label: 'csv-export-large-reports-fail', words: 'downloading gigantic listings breaks' },
  { label: 'sso-login-fails', words: 'corporate authentication problems' },
  { label: 'mobile-timer-stops-in-background', words: 'chronometer suspended on handset' },
  { label: 'invoice-tax-rounding-wrong', words: 'fiscal arithmetic mistakes' },
  { label: 'slow-dashboard-large-workspaces', words: 'sluggishness of homepages' },
  { label: 'calendar-sync-duplicates-entries', words: 'agenda meetups repeated' },
  { label: 'dark-mode-request', words: 'nighttime visual style' },
  { label: 'accounting-sync-drops-invoices', words: 'bookkeeper interface discrepancies' },
  { label: 'approval-reminders-missing', words: 'bosses not nudged' },
  { label: 'offline-mode-entries-lost', words: 'unsaved input during connectivity outages' },
  { label: 'invoice-pdf-custom-branding', words: 'personalised styling of paperwork' },
  { label: 'api-rate-limit-too-low', words: 'programmatic access quotas' },
  { label: 'seat-billing-confusing', words: 'overpaying subscriptions of departed staff' },
  { label: 'timezone-shifts-entries', words: 'journeys abroad confuse bookings' },
  { label: 'password-reset-email-never-arrives', words: 'forgotten credentials recovery broken' },
  { label: 'notification-email-flood', words: 'inboxes spammed constantly' },
  { label: 'receipt-upload-fails', words: 'adding photographs impossible' },
  { label: 'multi-currency-rates-wrong', words: 'obsolete forex conversions' },
]
