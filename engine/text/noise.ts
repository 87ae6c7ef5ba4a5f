import { signsOfAll, wordsOfAll } from '../lexicons/lexicons.ts'

/**
 * Words of chit-chat. A message made only of these is noise. Contains only words that cannot be the subject of
 * feedback, because noise is never shown.
 */
const CHAT_WORDS = wordsOfAll((lexicon) => lexicon.CHAT_WORDS)

const sign = signsOfAll('NOISE_SIGNS')

/** Laughter, thanks and agreement in their many spellings. */
const INTERJECTION = new RegExp(`^${sign('interjection')}$`)
const CHANNEL_NOTICE = new RegExp(`^${sign('channelNotice')}$`)
const MEMBER_NOTICE = new RegExp(`^(?:\\S+ ){1,3}${sign('memberNotice')}$`)
const PLACE = new RegExp(`\\b${sign('place')}\\b`)
const THANKS = new RegExp(
  `^(?:${sign('greeting')} )?(?:${sign('addressee')} )?(?:${sign('degree')} )?${sign('thanks')}\\b`,
)
const RESOLVED = new RegExp(`\\b${sign('resolved')}\\b`)
const AUTO_REPLY = new RegExp(`^(?:${sign('replyPrefix')} )?${sign('autoReply')}\\b`)
const OBJECTION = new RegExp(`\\b${sign('objection')}\\b`)

/** The whole-message patterns can only match if one of these words, or a non-ASCII word, occurs. */
const PATTERN_WORDS = wordsOfAll((lexicon) => lexicon.NOISE_PATTERN_WORDS)

const IS_NUMBER = 1
const IS_CHAT = 2
const IS_AGREEMENT_WORD = 4
const IS_AGREEMENT_CUE = 8
const IS_PATTERN_WORD = 16

/** Flags of a token as bits, for `noiseReason` and `isAgreement`. */
export function noiseFlagsOf(token: string): number {
  return (
    (isNumber(token) ? IS_NUMBER : 0) |
    (CHAT_WORDS.has(token) || INTERJECTION.test(token) ? IS_CHAT : 0) |
    (AGREEMENT_WORDS.has(token) ? IS_AGREEMENT_WORD : 0) |
    (AGREEMENT_CUES.has(token) ? IS_AGREEMENT_CUE : 0) |
    (PATTERN_WORDS.has(token) || /[^\0-\x7f]/.test(token) ? IS_PATTERN_WORD : 0)
  )
}

function isNumber(token: string): boolean {
  const first = token.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(token)
}

/**
 * Why a statement has no subject (`greeting or thanks`, `automatic reply`, `channel notice`, `no words`), or null if
 * it may have one. `flags`: `noiseFlagsOf` each token, if known.
 */
export function noiseReason(tokens: string[], flags: ArrayLike<number> = tokens.map(noiseFlagsOf)): string | null {
  let words = 0
  let all = IS_CHAT
  let any = 0
  for (let i = 0; i < tokens.length; i++) {
    const flag = flags[i] as number
    any |= flag
    if (flag & IS_NUMBER) continue
    words++
    all &= flag
  }
  if (words === 0) return 'no words'
  if (
    words < 3 &&
    tokens.every((token) => token.length === 1) &&
    !tokens.some((token) => token.charCodeAt(0) > 0x2e80)
  ) {
    return 'no words'
  }
  if (words <= 14 && all === IS_CHAT) return 'greeting or thanks'
  if ((any & IS_PATTERN_WORD) === 0) return null
  if (tokens.length <= 30) {
    const opening = tokens.join(' ')
    if (AUTO_REPLY.test(opening)) return 'automatic reply'
    if ((THANKS.test(opening) || RESOLVED.test(opening)) && !OBJECTION.test(opening.replace(RESOLVED, ''))) {
      return 'greeting or thanks'
    }
  }
  if (tokens.length <= 16) {
    const line = tokens.join(' ')
    if (PLACE.test(line) && CHANNEL_NOTICE.test(line)) return 'channel notice'
    if (MEMBER_NOTICE.test(line)) return 'channel notice'
  }
  return null
}

const AGREEMENT_WORDS = wordsOfAll((lexicon) => lexicon.AGREEMENT_WORDS)
const AGREEMENT_CUES = wordsOfAll((lexicon) => lexicon.AGREEMENT_CUES)

/**
 * Whether a text only agrees ("us too"), so that its subject is that of its conversation. `flags`: see `noiseReason`.
 */
export function isAgreement(tokens: string[], flags: ArrayLike<number> = tokens.map(noiseFlagsOf)): boolean {
  if (tokens.length === 0 || tokens.length > 12) return false
  let all = IS_AGREEMENT_WORD
  let any = 0
  for (let i = 0; i < tokens.length; i++) {
    all &= flags[i] as number
    any |= flags[i] as number
  }
  return all === IS_AGREEMENT_WORD && (any & IS_AGREEMENT_CUE) !== 0
}
