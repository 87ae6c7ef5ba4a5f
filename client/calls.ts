import * as corrections from '@groundswell/contract/corrections.ts'
import * as customers from '@groundswell/contract/customers.ts'
import * as feedbackSearch from '@groundswell/contract/feedback/feedback-search.ts'
import * as sentFeedback from '@groundswell/contract/feedback/sent-feedback.ts'
import * as feedback from '@groundswell/contract/feedback.ts'
import * as alike from '@groundswell/contract/insights/alike.ts'
import * as askers from '@groundswell/contract/insights/askers.ts'
import * as attributes from '@groundswell/contract/insights/attributes.ts'
import * as emerging from '@groundswell/contract/insights/emerging.ts'
import * as insightDetail from '@groundswell/contract/insights/insight-detail.ts'
import * as overview from '@groundswell/contract/insights/overview.ts'
import * as suggestions from '@groundswell/contract/insights/suggestions.ts'
import * as themes from '@groundswell/contract/insights/themes.ts'
import * as thread from '@groundswell/contract/insights/thread.ts'
import * as visits from '@groundswell/contract/insights/visits.ts'
import * as insights from '@groundswell/contract/insights.ts'
import * as reports from '@groundswell/contract/reports.ts'
import type { KeyScope } from '@groundswell/contract/route.ts'

const exported = {
  ...corrections,
  ...customers,
  ...feedbackSearch,
  ...sentFeedback,
  ...feedback,
  ...alike,
  ...askers,
  ...attributes,
  ...emerging,
  ...insightDetail,
  ...overview,
  ...suggestions,
  ...themes,
  ...thread,
  ...visits,
  ...insights,
  ...reports,
}
type Exported = typeof exported
type Calls = { [K in keyof Exported as Exported[K] extends { scope: KeyScope } ? K : never]: Exported[K] }

/** The calls that an API key may make, all of them (client.test.ts): those of these modules that have a scope. */
export const calls = Object.fromEntries(
  Object.entries(exported).filter(([, value]) => typeof value === 'object' && 'scope' in value),
) as Calls

/** Calls that change nothing when they are repeated, besides those with GET. */
export const REPEATABLE: ReadonlySet<string> = new Set<keyof typeof calls>(['sendFeedback', 'previewCorrection'])
