import { getUserData, login, logout, signup } from './accounts.ts'
import { exportAudit, listAudit } from './audit.ts'
import {
  getComparisonSessions,
  getDirOptions,
  getGeneratorOptions,
  getInputOptions,
  listComparisonProblems,
  setDir,
  setGeneratorFilter,
  setInputFilter,
} from './comparisons.ts'
import {
  addConnection,
  cancelSync,
  disconnect,
  getSigningSecret,
  listConnectors,
  rotateSigningSecret,
  testConnection,
  updateConnection,
} from './connections.ts'
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts'
import { getEval, listEvalProblems, listEvals } from './evals.ts'
import { getImport, listImports, previewImport, startImport } from './feedback.ts'
import { deleteInsight, listEvidence, listInsights, pushInsight, restoreInsight } from './insights.ts'
import { discardDeadJob, getHealth, getLive, getPublicConfig, listDeadJobs, rerunDeadJob } from './operations.ts'
import type { Route } from './route.ts'
import { updateSettings } from './settings.ts'
import {
  authorize,
  confirmEvents,
  finishOAuth,
  getApp,
  getChoices,
  receiveEvents,
  saveApp,
  saveChoices,
  startSync,
} from './sources.ts'

/** Every call the server answers: the OpenAPI document and the fuzz tests are made from this list. */
export const routes: readonly Route[] = [
  getUserData,
  login,
  signup,
  logout,
  updateSettings,
  listInsights,
  listEvidence,
  pushInsight,
  deleteInsight,
  restoreInsight,
  listConnectors,
  addConnection,
  testConnection,
  disconnect,
  cancelSync,
  updateConnection,
  getSigningSecret,
  rotateSigningSecret,
  authorize,
  finishOAuth,
  getApp,
  saveApp,
  getChoices,
  saveChoices,
  startSync,
  receiveEvents,
  confirmEvents,
  previewImport,
  startImport,
  getImport,
  listImports,
  listDeliveries,
  getDelivery,
  replayDelivery,
  listEvals,
  listEvalProblems,
  getEval,
  getDirOptions,
  setDir,
  getGeneratorOptions,
  setGeneratorFilter,
  getInputOptions,
  setInputFilter,
  getComparisonSessions,
  listComparisonProblems,
  getPublicConfig,
  getHealth,
  getLive,
  listDeadJobs,
  rerunDeadJob,
  discardDeadJob,
  listAudit,
  exportAudit,
]
