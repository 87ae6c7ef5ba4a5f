import * as z from 'zod/mini'
import { adaptiveCardText } from '../kit/documents/adaptive-card-text.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { htmlText } from '../kit/text/html-text.ts'
import type { Attachment, Reply } from './schema.ts'

const ADAPTIVE = 'application/vnd.microsoft.card.adaptive'
const CARD = /^application\/vnd\.microsoft\.(?:teams\.)?card\./
const FORWARDED = 'forwardedMessageReference'
/** Attachments that are no files: a quoted message, a forwarded one, a link to a meeting or a message. */
const REFERENCES = new Set(['messageReference', FORWARDED, 'meetingReference', 'tabReference'])

const Text = z.optional(z.nullable(z.string()))
const Section = z.object({ activityTitle: Text, activitySubtitle: Text, activityText: Text, title: Text, text: Text })
/** Hero and thumbnail cards, and those of connectors. */
const SimpleCard = z.object({
  title: Text,
  subtitle: Text,
  text: Text,
  sections: z.optional(z.nullable(z.array(Section))),
})
const Forwarded = z.object({ originalMessageContent: z.string() })

/**
 * What the author posted, as plain text: the subject, the body without quotes, cards, and a message that was forwarded. A quoted message
 * is someone else's, and is read where it was written.
 */
export function messageText({ subject, body, attachments }: Reply): string {
  const parts = [subject?.trim() ?? '', bodyText(body), ...(attachments ?? []).map((one) => (one ? cardText(one) : ''))]
  return clean(parts.filter((part) => part !== '').join('\n\n')).trim()
}

/** Names of attached files. */
export function fileNames({ attachments }: Reply): string[] {
  return (attachments ?? []).flatMap((one) => {
    const type = one?.contentType ?? ''
    return one?.name && !CARD.test(type) && !REFERENCES.has(type) ? [clean(one.name)] : []
  })
}

function bodyText(body: Reply['body']): string {
  const content = body?.content ?? ''
  return body?.contentType?.toLowerCase() === 'html' ? plain(content) : content.trim()
}

function cardText({ contentType, content }: Attachment): string {
  if (!content) return ''
  if (contentType === ADAPTIVE) return adaptiveCardText(content)
  if (contentType === FORWARDED) {
    const { originalMessageContent = '' } = Forwarded.safeParse(parseJson(content)).data ?? {}
    return plain(originalMessageContent)
  }
  if (!CARD.test(contentType ?? '')) return ''
  const card = SimpleCard.safeParse(parseJson(content)).data
  if (!card) return ''
  const sections = (card.sections ?? []).flatMap(({ title, activityTitle, activitySubtitle, activityText, text }) => [
    title,
    activityTitle,
    activitySubtitle,
    activityText,
    text,
  ])
  const lines = [card.title, card.subtitle, card.text, ...sections].map((line) => plain(line ?? ''))
  return lines.filter((line) => line !== '').join('\n')
}

/** A post that is nothing but a quote, such as a pasted mail, is read as a whole. */
function plain(html: string): string {
  const { text, quoted } = htmlText(html)
  return text || quoted
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
