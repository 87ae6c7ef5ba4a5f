import type { Comment } from '../schema.ts'

/** The record of a call. Its text is where, when and with which numbers, never what somebody said. */
export const isCall = ({ type }: Comment) => /voicecomment$/i.test(type ?? '')

/** A line of the record that begins with the name of a value. */
const LABEL = /^[\p{L} ]{2,40}:/u
const TRANSCRIPTION = /^(?:voicemail )?transcription(?: text)?:/i

/**
 * What the caller said after the beep, or null. The transcription of a call that somebody answered contains the agent's words too,
 * so it is none.
 */
export function voicemailText(comment: Comment): string | null {
  const rel = comment.via?.source?.rel
  const isVoicemail = rel ? /^voicemail$/i.test(rel) : !comment.data?.answered_by_id
  if (!isVoicemail) return null
  const text = comment.data?.transcription_text?.trim() || transcriptionIn(comment.plain_body || comment.body || '')
  return text.replaceAll('\0', '').toWellFormed().trim() || null
}

/** The record has the transcription as its last value in its text too. */
function transcriptionIn(body: string): string {
  const lines = body.split('\n').map((line) => line.trim())
  const from = lines.findIndex((line) => TRANSCRIPTION.test(line))
  if (from < 0) return ''
  const rest = lines.slice(from + 1)
  const end = rest.findIndex((line) => LABEL.test(line))
  const first = (lines[from] ?? '').replace(TRANSCRIPTION, '')
  return [first, ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trim()
}
