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
import { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { sendFeedback } from '@groundswell/contract/feedback/sent-feedback.ts'
import { getImport, getImportInsights, listFileSources, listImports } from '@groundswell/contract/feedback.ts'
import { listAlike } from '@groundswell/contract/insights/alike.ts'
import { listAskers } from '@groundswell/contract/insights/askers.ts'
import { listAttributeInsights, listAttributes } from '@groundswell/contract/insights/attributes.ts'
import { listEmerging } from '@groundswell/contract/insights/emerging.ts'
import { getInsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { getOverview } from '@groundswell/contract/insights/overview.ts'
import { listMergeSuggestions, listSuggestions } from '@groundswell/contract/insights/suggestions.ts'
import { listThemes } from '@groundswell/contract/insights/themes.ts'
import { getThread } from '@groundswell/contract/insights/thread.ts'
import { listChanges } from '@groundswell/contract/insights/visits.ts'
import { listEvidence, listInsights, listUngrouped } from '@groundswell/contract/insights.ts'
import { getReport, getReportChanges, getReportPart } from '@groundswell/contract/reports.ts'

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
