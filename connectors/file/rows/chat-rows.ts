import type { Line } from '../line-splitter.ts'
import { badRow, type Row, type RowReader } from './row.ts'

/** The columns of the rows. */
export const CHAT_COLUMNS: readonly string[] = ['text', 'author', 'date']

const DAY = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?\s?m\.?)?`
/** `[12.10.25, 09:15:11] Ada: ` as iPhones write it, and `10/12/25, 9:15 AM - Ada: ` as Android does. */
const START = new RegExp(String.raw`^(?:\[(${DAY},? ${TIME})\]|(${DAY},? ${TIME}) -) (.*)$`, 'i')
const AUTHOR = /^([^:]{1,100}): (.*)$/

/** Before what the app wrote itself, such as notices and names of media, on iPhones. */
const LEFT_TO_RIGHT_MARK = '\u200e'
/** What the app writes in place of a picture, a recording or a file, in any language. The message may go on with the text below it. */
const MEDIA = /^(?:\u200e.*|<[^<>]{3,40}>|[^\n]{1,200}\.\w{2,5} \([^()]{3,40}\))$/
/** Behind a text: that it was edited, or the name of what is attached to it. */
const APPENDED = /\s*\u200e<[^<>]{3,100}>$/
const DELETED =
  /^(?:null|this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|ce message a été supprimé|vous avez supprimé ce message|(?:se eliminó este mensaje|eliminaste este mensaje)|(?:mensagem apagada|essa mensagem foi apagada|você apagou esta mensagem))\.?$/i
/** In logs of other chats the name is in brackets. */
const OTHER_CHAT = /^</
/** A chat has notices without an author, and a log has lines with a colon. */
const MIN_WRITTEN = 0.5

/** Beyond this a file is something else, and is not held in memory. */
export const MAX_MESSAGE_LINES = 1_000
const MAX_CHARACTERS = 1_000_000
const TOO_LONG = 'The message has more than 1,000 lines, or a million characters'

/** Narrow and other spaces stand between a time and AM. */
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ')

function startOf(line: string): { date: string; rest: string } | null {
  const [, ofPhone, ofAndroid, rest] = START.exec(plain(line.replace(/^[\u200e\ufeff]+/, ''))) ?? []
  const date = ofPhone ?? ofAndroid
  return date === undefined || rest === undefined ? null : { date, rest }
}

/** Whether lines are those of a chat that WhatsApp exported: the first and another one begin with a time, and most of these have an author then. */
export function isChat(lines: readonly Line[]): boolean {
  const good = lines.filter(({ problem }) => problem === null).map(({ text }) => text)
  if (startOf(good[0] ?? '') === null) return false
  const starts = good.flatMap((text) => startOf(text)?.rest ?? [])
  const written = starts.filter((rest) => AUTHOR.test(rest))
  return (
    starts.length >= 2 &&
    written.length >= starts.length * MIN_WRITTEN &&
    !written.some((rest) => OTHER_CHAT.test(rest))
  )
}

/**
 * A chat as WhatsApp exports it: each message begins with its time and its author, and may go on in further lines. Notices of the app, and what it
 * writes in place of media, are no rows.
 */
export function chatRows(): RowReader {
  let open: { line: number; date: string; author: string; text: string[]; size: number } | null = null

  const close = (): Row[] => {
    const message = open
    open = null
    if (!message) return []
    const [first = '', ...others] = message.text
    const own = MEDIA.test(first.trim()) ? others : message.text
    const text = own.join('\n').trim().replace(APPENDED, '')
    if (text === '' || DELETED.test(text.replaceAll(LEFT_TO_RIGHT_MARK, ''))) return []
    return [{ line: message.line, cells: [text, message.author, message.date], problem: null }]
  }

  return {
    push: ({ number, text, problem }) => {
      if (problem !== null) return [...close(), badRow(number, problem)]
      const start = startOf(text)
      if (!start) {
        if (open === null) return []
        open.text.push(text)
        open.size += text.length
        if (open.text.length <= MAX_MESSAGE_LINES && open.size <= MAX_CHARACTERS) return []
        const { line } = open
        open = null
        return [badRow(line, TOO_LONG)]
      }
      const rows = close()
      const [, author, said] = AUTHOR.exec(start.rest) ?? []
      if (author !== undefined && said !== undefined)
        open = {
          line: number,
          date: start.date,
          author: author.replaceAll(LEFT_TO_RIGHT_MARK, '').trim(),
          text: [said],
          size: said.length,
        }
      return rows
    },
    end: close,
  }
}
