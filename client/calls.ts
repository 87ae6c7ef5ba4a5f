import { listAlike } from '@groundswell/contract/alike.ts'
import { listAskers } from '@groundswell/contract/askers.ts'
import { listAttributeInsights, listAttributes } from '@groundswell/contract/attributes.ts'
import {
  correctInsight,
  createInsight,
  getCorrection,
  listCorrections,
  previewCorrection,
  undoCorrection,
  whyHere,
} from '@groundswell/contract/corrections.ts'
import { getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { listEmerging } from '@groundswell/contract/emerging.ts'
import { getImport, getImportInsights, listFileSources, listImports } from '@groundswell/contract/feedback.ts'
import { searchFeedback } from '@groundswell/contract/feedback-search.ts'
import { getInsightDetail } from '@groundswell/contract/insight-detail.ts'
import { listEvidence, listInsights, listUngrouped } from '@groundswell/contract/insights.ts'
import { getOverview } from '@groundswell/contract/overview.ts'
import { getReport, getReportChanges, getReportPart } from '@groundswell/contract/reports.ts'
import { sendFeedback } from '@groundswell/contract/sent-feedback.ts'
import { listMergeSuggestions, listSuggestions } from '@groundswell/contract/suggestions.ts'
import { listThemes } from '@groundswell/contract/themes.ts'
import { getThread } from '@groundswell/contract/thread.ts'
import { listChanges } from '@groundswell/contract/visits.ts'

/** The calls that an API key may make, all of them (client.test.ts). */
export const calls = {
  sendFeedback,
  searchFeedback,
  listImports,
  getImport,
  getImportInsights,
  listFileSources,
  listInsights,
  listEvidence,
  listUngrouped,
  listAlike,
  getInsightDetail,
  listAskers,
  listCustomers,
  getCustomer,
  listAttributes,
  listAttributeInsights,
  listEmerging,
  listSuggestions,
  listMergeSuggestions,
  listThemes,
  getOverview,
  getReport,
  getReportPart,
  getReportChanges,
  listChanges,
  getThread,
  createInsight,
  correctInsight,
  previewCorrection,
  listCorrections,
  getCorrection,
  undoCorrection,
  whyHere,
} as const

/** Calls that change nothing when they are repeated, besides those with GET. */
export const REPEATABLE: ReadonlySet<string> = new Set<keyof typeof calls>(['sendFeedback', 'previewCorrection'])
