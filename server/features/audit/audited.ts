import type { Route } from '@groundswell/contract/route.ts'
import type { Caller, Handler, Input } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { record } from './record.ts'

/** By the name of a call: its entry in the log, and which of its inputs is the target. */
const auditedCalls: Readonly<Record<string, { action: string; target?: string }>> = {
  updateSettings: { action: 'settings.saved' },
  pushInsight: { action: 'insight.pushed', target: 'issue_number' },
  deleteInsight: { action: 'insight.deleted', target: 'issue_number' },
  exportInsights: { action: 'insights.exported' },
  exportWorkspace: { action: 'workspace.exported' },
  restoreInsight: { action: 'insight.restored', target: 'issue_number' },
  setInsightTags: { action: 'insight.tagged', target: 'issue_number' },
  setTeamStatus: { action: 'insight.team-status-set' },
  assignInsights: { action: 'insight.assigned' },
  addComment: { action: 'comment.written', target: 'issue_number' },
  editComment: { action: 'comment.changed', target: 'comment_id' },
  deleteComment: { action: 'comment.deleted', target: 'comment_id' },
  exportAskers: { action: 'people.exported', target: 'issue_number' },
  setTold: { action: 'people.told', target: 'issue_number' },
  keepEmerging: { action: 'insight.made' },
  dismissEmerging: { action: 'emerging-insight.dismissed', target: 'emerging_id' },
  restoreEmerging: { action: 'emerging-insight.restored', target: 'emerging_id' },
  declineMerge: { action: 'merge.declined' },
  undoDeclinedMerge: { action: 'merge.declined-undone', target: 'decline_id' },
  createTheme: { action: 'theme.made' },
  renameTheme: { action: 'theme.renamed', target: 'theme_id' },
  removeTheme: { action: 'theme.removed', target: 'theme_id' },
  restoreTheme: { action: 'theme.restored', target: 'theme_id' },
  moveToTheme: { action: 'insight.moved-to-theme', target: 'issue_number' },
  leaveToEngine: { action: 'insight.theme-left-to-engine', target: 'issue_number' },
  setFeedbackKind: { action: 'mention.kind-set', target: 'mention' },
  createInsight: { action: 'insight.made' },
  correctInsight: { action: 'insight.corrected', target: 'issue_number' },
  undoCorrection: { action: 'correction.undone', target: 'correction_id' },
  beginEmbeddingSwitch: { action: 'embeddings.prepared' },
  applyEmbeddingSwitch: { action: 'embeddings.applied', target: 'switch_id' },
  discardEmbeddingSwitch: { action: 'embeddings.discarded', target: 'switch_id' },
  addConnection: { action: 'connection.connected', target: 'tile' },
  finishOAuth: { action: 'connection.connected', target: 'tile' },
  disconnect: { action: 'connection.disconnected', target: 'tile' },
  updateConnection: { action: 'connection.changed', target: 'tile' },
  testConnection: { action: 'connection.tested', target: 'tile' },
  getSigningSecret: { action: 'signing-secret.shown', target: 'tile' },
  rotateSigningSecret: { action: 'signing-secret.rotated', target: 'tile' },
  saveApp: { action: 'provider-app.saved', target: 'tile' },
  saveChoices: { action: 'connection.changed', target: 'tile' },
  startSync: { action: 'sync.started', target: 'tile' },
  cancelSync: { action: 'sync.cancelled', target: 'tile' },
  createView: { action: 'view.saved' },
  updateView: { action: 'view.changed', target: 'view_id' },
  deleteView: { action: 'view.deleted', target: 'view_id' },
  sendFeedback: { action: 'feedback.sent' },
  startImport: { action: 'import.started' },
  answerHeld: { action: 'held-insights.answered' },
  answerImport: { action: 'import.answered', target: 'id' },
  restoreReplaced: { action: 'import.texts-restored', target: 'id' },
  deleteImport: { action: 'import.deleted', target: 'id' },
  deleteKeptFeedback: { action: 'kept-feedback.deleted', target: 'id' },
  chooseReading: { action: 'reading.chosen' },
  readAgain: { action: 'message.read-again', target: 'mention' },
  setTimeZone: { action: 'time-zone.chosen' },
  nameWorkspace: { action: 'workspace.named' },
  setRetention: { action: 'retention.changed' },
  erasePerson: { action: 'person.erased' },
  uploadCustomers: { action: 'customers.listed' },
  removeCustomer: { action: 'customer.removed', target: 'id' },
  setDigest: { action: 'mails.chosen' },
  savePostingApp: { action: 'provider-app.saved', target: 'tile' },
  finishPosting: { action: 'posting.allowed', target: 'tile' },
  endPosting: { action: 'posting.ended', target: 'tile' },
  setPostChannel: { action: 'posting.channel-chosen', target: 'tile' },
  sendReplies: { action: 'people.replied', target: 'issue_number' },
  createReceiver: { action: 'receiver.added' },
  updateReceiver: { action: 'receiver.changed', target: 'id' },
  deleteReceiver: { action: 'receiver.deleted', target: 'id' },
  rotateReceiverSecret: { action: 'receiver.secret-rotated', target: 'id' },
  testReceiver: { action: 'receiver.tested', target: 'id' },
  resendReceiverDelivery: { action: 'receiver.sent-again', target: 'id' },
  replayDelivery: { action: 'delivery.replayed', target: 'id' },
  setCaseConsent: { action: 'case-consent.changed' },
  setEvalScore: { action: 'evaluation.scored' },
  restoreEvalScore: { action: 'evaluation.score-restored' },
  rerunDeadJob: { action: 'job.rerun', target: 'id' },
  discardDeadJob: { action: 'job.discarded', target: 'id' },
}

/** Calls that change something and have no entry above: they change nothing that lasts, or write their own entries. */
const own: ReadonlySet<string> = new Set([
  'login',
  'signup',
  'logout',
  'noteVisit',
  'askFeedback',
  'endMySession',
  'endMySessions',
  'makeRecoveryCodes',
  'redeemRecoveryCode',
  'deleteMyAccount',
  'deleteWorkspace',
  'createApiKey',
  'revokeApiKey',
  'invite',
  'revokeInvitation',
  'previewInvitation',
  'acceptInvitation',
  'changeRole',
  'transferOwnership',
  'removeMember',
  'leaveWorkspace',
  'switchWorkspace',
  'saveSingleSignOn',
  'switchSingleSignOn',
  'removeSingleSignOn',
  'testSingleSignOn',
  'linkSingleSignOn',
  'createSharedLink',
  'revokeSharedLink',
  'authorize',
  'authorizePosting',
  'previewCorrection',
  'previewErasure',
  'previewImport',
  'previewTags',
  'unsubscribe',
  'receiveEvents',
  'receiveOwnEvents',
  'setDir',
  'setGeneratorFilter',
  'setInputFilter',
])

/**
 * The same calls, with a log entry after each one that changed something. A refused call has none. An entry
 * that cannot be written is reported in the server's own log, and does not undo the change.
 */
export function audited(services: Services, handlers: readonly Handler[]): Handler[] {
  return handlers.map((handler) => {
    const fields = auditedCalls[handler.route.name]
    if (!fields) return handler
    return {
      route: handler.route,
      answer: async (input) => {
        const answer = await handler.answer(input)
        const caller = input.caller as Caller | null
        if (caller) {
          const { accountId, workspaceId, email: actor } = caller
          const detail: Record<string, string> = caller.key ? { api_key: caller.key.label } : {}
          const target = targetOf(input, fields.target)
          const entry = { action: fields.action, actor, target, workspaceId, accountId, detail }
          await record(services, { ...entry, actorId: accountId }, input.request).catch((error: Error) => {
            input.request.log.error(
              { action: fields.action, err: error.message },
              'an entry could not be written to the audit log',
            )
          })
        }
        return answer
      },
    }
  })
}

/** True when a call is covered: a new call that changes something must be listed above. */
export function isAccountedFor(route: Route): boolean {
  return route.method === 'GET' || route.name in auditedCalls || own.has(route.name)
}

function targetOf(input: Input<Route>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const value = (input.params as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
