import {
  deleteMyAccount,
  endMySession,
  endMySessions,
  makeRecoveryCodes,
  redeemRecoveryCode,
} from '@groundswell/contract/accounts/my-account.ts'
import { linkSingleSignOn, testSingleSignOn } from '@groundswell/contract/accounts/single-sign-on.ts'
import { deleteWorkspace } from '@groundswell/contract/accounts/workspace-deletion.ts'
import { logout, signup } from '@groundswell/contract/accounts.ts'
import { disconnect } from '@groundswell/contract/connections.ts'
import { correctInsight } from '@groundswell/contract/corrections.ts'
import { unsubscribe } from '@groundswell/contract/digests.ts'
import { deleteImport } from '@groundswell/contract/feedback/import-undo.ts'
import { readAgain } from '@groundswell/contract/feedback/reading.ts'
import { answerImport } from '@groundswell/contract/feedback.ts'
import { deleteInsight, restoreInsight } from '@groundswell/contract/insights.ts'
import {
  applyEmbeddingSwitch,
  beginEmbeddingSwitch,
  discardEmbeddingSwitch,
} from '@groundswell/contract/models/embeddings.ts'
import { discardDeadJob, rerunDeadJob } from '@groundswell/contract/operations.ts'
import {
  authorizePosting,
  endPosting,
  finishPosting,
  getPostingApp,
  listPostChannels,
  previewPost,
  savePostingApp,
  setPostChannel,
} from '@groundswell/contract/posts.ts'
import type { Route } from '@groundswell/contract/route.ts'
import {
  authorize,
  confirmEvents,
  confirmOwnEvents,
  finishOAuth,
  getApp,
  getChoices,
  receiveEvents,
  receiveOwnEvents,
  saveApp,
  saveChoices,
  startSync,
} from '@groundswell/contract/sources.ts'
import { acceptInvitation, leaveWorkspace, removeMember, transferOwnership } from '@groundswell/contract/team.ts'

/** What these need does not exist here: work that gave up, and a sign-up beyond the few an hour. */
export const NEVER_SUCCEEDS: readonly Route[] = [
  rerunDeadJob,
  discardDeadJob,
  // No language model is set up here.
  readAgain,
  // No model is set up here, and the known id is not that of a switch.
  beginEmbeddingSwitch,
  applyEmbeddingSwitch,
  discardEmbeddingSwitch,
  signup,
  // No source is connected here, and the destination has no sign-in, no options and no events.
  authorize,
  finishOAuth,
  getApp,
  saveApp,
  getChoices,
  saveChoices,
  startSync,
  receiveEvents,
  confirmEvents,
  receiveOwnEvents,
  confirmOwnEvents,
  // Nothing can be posted to the known destination.
  getPostingApp,
  savePostingApp,
  authorizePosting,
  finishPosting,
  endPosting,
  listPostChannels,
  setPostChannel,
  previewPost,
  // The token of no mail.
  unsubscribe,
  // No import has a question here.
  answerImport,
  // No one has a second factor here, and the known id is not that of a sign-in.
  makeRecoveryCodes,
  redeemRecoveryCode,
  endMySession,
  // There is no provider that answers.
  testSingleSignOn,
  linkSingleSignOn,
  // The caller is already in the only workspace.
  acceptInvitation,
]

/** A success of these removes what the others need. */
export const LAST: readonly Route[] = [
  disconnect,
  deleteInsight,
  restoreInsight,
  correctInsight,
  deleteImport,
  removeMember,
  leaveWorkspace,
  deleteWorkspace,
  transferOwnership,
  endMySessions,
  logout,
  deleteMyAccount,
]
