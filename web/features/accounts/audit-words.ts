const WORDS: Record<string, string> = {
  'account.claimed': 'Proved the email address: what was there before was signed out',
  'account.created': 'Signed up',
  'account.deleted': 'Deleted the account',
  'account.displaced': 'Lost the email address to the person who proved it',
  'account.exported': 'Exported their own data',
  'account.signed_up_again': 'Somebody signed up again with this email address',
  'audit.exported': 'Exported the audit log',
  'connection.changed': 'Changed a connection',
  'connection.connected': 'Connected',
  'connection.disconnected': 'Disconnected',
  'connection.tested': 'Sent example data',
  'delivery.replayed': 'Sent a delivery again',
  'held-insights.answered': 'Chose which held insights are pushed',
  'embeddings.applied': 'Applied another embedding model',
  'embeddings.discarded': 'Discarded a switch to another embedding model',
  'embeddings.prepared': 'Prepared another embedding model',
  'factor.enrolled': 'Began to set up the second step',
  'factor.refused': 'Wrong code at the second step',
  'factor.removed': 'Removed the second step',
  'factor.verified': 'Passed the second step',
  'import.started': 'Started an import',
  'insight.deleted': 'Deleted an insight',
  'insight.pushed': 'Pushed an insight',
  'insight.restored': 'Restored an insight',
  'insight.tagged': 'Changed the tags of an insight',
  'insight.made': 'Made an insight',
  'insight.corrected': 'Corrected an insight',
  'correction.undone': 'Took a correction back',
  'job.discarded': 'Discarded a background job',
  'job.rerun': 'Ran a background job again',
  'provider-app.saved': 'Saved the app of a provider',
  'recovery_code.used': 'Used a recovery code',
  'recovery_codes.made': 'Made recovery codes',
  'session.ended': 'Signed out',
  'session.moved': 'Used a sign-in from a new address or device',
  'session.refused': 'Sign-in refused',
  'session.reuse_detected': 'A used refresh token came again: the sign-in was ended',
  'session.started': 'Signed in',
  'settings.saved': 'Saved the settings',
  'signing-secret.rotated': 'Made a new signing secret',
  'signing-secret.shown': 'Looked at the signing secret',
  'sync.cancelled': 'Cancelled a sync',
  'sync.started': 'Started a sync',
}

/** What was done, in words; an action that is not known here says its own name. */
export function actionInWords(action: string): string {
  const plain = action.replaceAll(/[._-]+/g, ' ').trim()
  return WORDS[action] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
}

/** Details as "name: value" with commas between; what is null is left out. */
export function detailInWords(detail: Record<string, string | number | boolean | null>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`)
    .join(', ')
}

/** The actions to filter by, by their words. */
export const ACTIONS: readonly (readonly [action: string, words: string])[] = Object.entries(WORDS).sort(
  ([, a], [, b]) => a.localeCompare(b),
)
