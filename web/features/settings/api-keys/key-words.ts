import type { ApiKey } from '@groundswell/contract/api-keys.ts'
import { formatMoment } from '../../../ui/text/moment.ts'

/** What a key with a scope may do. */
export const SCOPE_WORDS: Readonly<Record<ApiKey['scopes'][number], string>> = {
  read: 'Read insights and feedback',
  'feedback:write': 'Send feedback',
  'insights:write': 'Create and correct insights',
}

/** The same, in a sentence. */
export const SCOPE_HELP: Readonly<Record<ApiKey['scopes'][number], string>> = {
  read: 'Insights with their evidence, themes, and all messages.',
  'feedback:write': 'Your own messages, which are grouped like those of any source.',
  'insights:write':
    'Create, rename and merge insights, move mentions, and undo these changes. Agents also need to read them.',
}

/** One line about a key: what it may do, who made it, when it was used, when it expires. */
export function keyInWords({ start, scopes, made_by, last_used_at, expires_at, expired }: ApiKey): string {
  return [
    `${start}…`,
    scopes.map((scope) => SCOPE_WORDS[scope].toLowerCase()).join(', '),
    `by ${made_by}`,
    last_used_at === null ? 'never used' : `last used ${formatMoment(last_used_at)}`,
    expires_at === null ? 'never expires' : `${expired ? 'expired' : 'expires'} ${formatMoment(expires_at)}`,
  ].join(' · ')
}
