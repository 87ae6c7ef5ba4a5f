import * as myAccount from './accounts/my-account.ts'
import * as singleSignOn from './accounts/single-sign-on.ts'
import * as workspaceDeletion from './accounts/workspace-deletion.ts'
import * as workspaceExport from './accounts/workspace-export.ts'
import * as workspaceName from './accounts/workspace-name.ts'
import * as accounts from './accounts.ts'
import * as apiKeys from './api-keys.ts'
import * as audit from './audit.ts'
import * as comments from './comments.ts'
import * as connections from './connections.ts'
import * as corrections from './corrections.ts'
import * as customers from './customers.ts'
import * as deliveries from './deliveries.ts'
import * as digests from './digests.ts'
import * as cases from './evaluation/cases.ts'
import * as comparisons from './evaluation/comparisons.ts'
import * as evals from './evaluation/evals.ts'
import * as evaluationRuns from './evaluation/runs.ts'
import * as feedbackSearch from './feedback/feedback-search.ts'
import * as importUndo from './feedback/import-undo.ts'
import * as keptFeedback from './feedback/kept-feedback.ts'
import * as reading from './feedback/reading.ts'
import * as retention from './feedback/retention.ts'
import * as sentFeedback from './feedback/sent-feedback.ts'
import * as feedback from './feedback.ts'
import * as alike from './insights/alike.ts'
import * as askers from './insights/askers.ts'
import * as assignment from './insights/assignment.ts'
import * as attributes from './insights/attributes.ts'
import * as emerging from './insights/emerging.ts'
import * as insightDetail from './insights/insight-detail.ts'
import * as insightExport from './insights/insight-export.ts'
import * as kinds from './insights/kinds.ts'
import * as overview from './insights/overview.ts'
import * as suggestions from './insights/suggestions.ts'
import * as tags from './insights/tags.ts'
import * as teamStatus from './insights/team-status.ts'
import * as themes from './insights/themes.ts'
import * as thread from './insights/thread.ts'
import * as visits from './insights/visits.ts'
import * as insights from './insights.ts'
import * as embeddings from './models/embeddings.ts'
import * as languageModel from './models/language-model.ts'
import * as operations from './operations.ts'
import * as posts from './posts.ts'
import * as receivers from './receivers.ts'
import * as reports from './reports.ts'
import type { Route } from './route.ts'
import * as settings from './settings.ts'
import * as sharedLinks from './shared-links.ts'
import * as sources from './sources.ts'
import * as team from './team.ts'
import * as timeZone from './values/time-zone.ts'
import * as views from './views.ts'

/** The modules that define calls. */
const modules = [
  myAccount,
  singleSignOn,
  workspaceDeletion,
  workspaceExport,
  workspaceName,
  accounts,
  apiKeys,
  audit,
  comments,
  connections,
  corrections,
  customers,
  deliveries,
  digests,
  cases,
  comparisons,
  evals,
  evaluationRuns,
  feedbackSearch,
  importUndo,
  keptFeedback,
  reading,
  retention,
  sentFeedback,
  feedback,
  alike,
  askers,
  assignment,
  attributes,
  emerging,
  insightDetail,
  insightExport,
  kinds,
  overview,
  suggestions,
  tags,
  teamStatus,
  themes,
  thread,
  visits,
  insights,
  embeddings,
  languageModel,
  operations,
  posts,
  receivers,
  reports,
  settings,
  sharedLinks,
  sources,
  team,
  timeZone,
  views,
]

/** Every call of these modules, in their order and by name: what the server answers, the OpenAPI document, and the tests of every call come from this list. */
export const routes: readonly Route[] = modules.flatMap((module) => Object.values<unknown>(module).filter(isRoute))

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}
