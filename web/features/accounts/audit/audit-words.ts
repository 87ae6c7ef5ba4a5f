const WORDS: Record<string, string> = {
  'account.claimed': 'Verified the email address; earlier sessions were signed out',
  'account.created': 'Signed up',
  'account.deleted': 'Deleted the account',
  'account.displaced': 'Lost the email address to the person who verified it',
  'account.exported': 'Exported their own data',
  'account.signed_up_again': 'Someone signed up again with this email address',
  'api_key.created': 'Created an API key',
  'api_key.revoked': 'Revoked an API key',
  'audit.exported': 'Exported the audit log',
  'connection.changed': 'Changed a connection',
  'connection.connected': 'Connected',
  'connection.disconnected': 'Disconnected',
  'connection.tested': 'Sent example data',
  'customer.removed': 'Removed a customer from the list',
  'customers.listed': 'Uploaded a list of customers',
  'delivery.replayed': 'Replayed a delivery',
  'held-insights.answered': 'Chose which held insights to push',
  'embeddings.applied': 'Switched to another embedding model',
  'embeddings.discarded': 'Discarded an embedding model switch',
  'embeddings.prepared': 'Prepared an embedding model switch',
  'feedback.sent': 'Sent feedback to the API',
  'factor.enrolled': 'Started setting up two-factor authentication',
  'factor.refused': 'Entered a wrong two-factor code',
  'evaluation.scored': 'Scored an evaluated response',
  'evaluation-run.started': 'Started an evaluation run',
  'evaluation-run.cancelled': 'Cancelled an evaluation run',
  'evaluation-run.resumed': 'Resumed an evaluation run',
  'evaluation-run.graded': 'Had an evaluation run graded',
  'evaluation-run.deleted': 'Deleted an evaluation run',
  'evaluation.score-restored': 'Restored an automatic score',
  'factor.removed': 'Removed two-factor authentication',
  'factor.verified': 'Passed two-factor authentication',
  'import.started': 'Started an import',
  'insights.exported': 'Exported insights',
  'workspace.exported': 'Exported the whole workspace',
  'insight.deleted': 'Deleted an insight',
  'insight.pushed': 'Pushed an insight',
  'insight.restored': 'Restored an insight',
  'insight.tagged': 'Changed the tags of an insight',
  'comment.changed': 'Changed a comment',
  'comment.deleted': 'Deleted a comment',
  'comment.written': 'Commented on an insight',
  'insight.assigned': 'Assigned insights',
  'insight.team-status-set': 'Set the team status of insights',
  'insight.made': 'Created an insight',
  'insight.corrected': 'Corrected an insight',
  'mails.chosen': 'Chose which mails to get',
  'mention.kind-set': 'Set the kind of a mention',
  'correction.undone': 'Undid a correction',
  'job.discarded': 'Discarded a background job',
  'job.rerun': 'Ran a background job again',
  'people.exported': 'Exported who asked for an insight',
  'people.replied': 'Replied to people who asked for an insight',
  'posting.allowed': 'Allowed posting',
  'posting.ended': 'Stopped posting',
  'posting.channel-chosen': 'Chose what a channel gets',
  'people.told': 'Marked who was told about an insight',
  'provider-app.saved': 'Saved a provider’s app credentials',
  'recovery_code.used': 'Used a recovery code',
  'recovery_codes.made': 'Generated recovery codes',
  'workspace.deleted': 'Deleted a workspace',
  'workspace.named': 'Named the workspace',
  'workspace.made': 'Got a new workspace',
  'workspace.entered': 'Switched to this workspace',
  'workspace.transferred': 'Handed the workspace over',
  'invitation.made': 'Invited somebody',
  'invitation.revoked': 'Revoked an invitation',
  'invitation.accepted': 'Joined with an invitation',
  'member.role_changed': 'Changed the role of a person',
  'member.removed': 'Removed a person from the workspace',
  'member.left': 'Left the workspace',
  'member.joined_by_sso': 'Joined through single sign-on',
  'sso.removed': 'Removed single sign-on',
  'sso.saved': 'Saved the single sign-on settings',
  'sso.switched': 'Changed whether single sign-on is allowed or required',
  'sso.tested': 'Tested single sign-on',
  'receiver.added': 'Added a webhook',
  'receiver.changed': 'Changed a webhook',
  'receiver.deleted': 'Deleted a webhook',
  'receiver.secret-rotated': 'Rotated the secret of a webhook',
  'receiver.sent-again': 'Sent an event to a webhook again',
  'receiver.tested': 'Sent a test event to a webhook',
  'session.ended': 'Signed out',
  'session.moved': 'Used a session from a new address or device',
  'session.refused': 'Sign-in refused',
  'session.reuse_detected': 'A refresh token was reused; the session was ended',
  'session.started': 'Signed in',
  'settings.saved': 'Saved the settings',
  'shared_link.created': 'Created a read-only link',
  'shared_link.revoked': 'Revoked a read-only link',
  'signing-secret.rotated': 'Rotated the signing secret',
  'signing-secret.shown': 'Viewed the signing secret',
  'sync.cancelled': 'Cancelled a sync',
  'sync.started': 'Started a sync',
  'view.changed': 'Changed a saved view',
  'view.deleted': 'Deleted a saved view',
  'view.saved': 'Saved a view',
}

/** The label of an action; an unknown action is its own label. */
export function actionInWords(action: string): string {
  const plain = action.replaceAll(/[._-]+/g, ' ').trim()
  return WORDS[action] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
}

/** What only a program can read: the export has it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Details as comma-separated "name: value". Empty values and ids are omitted, and words of the program are written as words. */
export function detailInWords(detail: Record<string, string | number | boolean | null>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && !UUID.test(String(value)))
    .map(([name, value]) => {
      const plain = String(value)
      return `${name.replaceAll('_', ' ')}: ${/^[a-z]+(_[a-z]+)+$/.test(plain) ? plain.replaceAll('_', ' ') : plain}`
    })
    .join(', ')
}

/** The actions to filter by, ordered by label. */
export const ACTIONS: readonly (readonly [action: string, words: string])[] = Object.entries(WORDS).sort(
  ([, a], [, b]) => a.localeCompare(b),
)
