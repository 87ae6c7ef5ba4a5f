import type { PostLine, PostPart } from '@groundswell/connectors/poster.ts'
import { isWebAddress } from '@groundswell/contract/values/web-address.ts'
import { oneLine } from '../../../platform/one-line.ts'
import type { DigestPart } from '../content.ts'

/** A message in a channel is skimmed: it names fewer insights than a mail, by shorter names. */
const SHOWN = 5
const MAX_NAME = 90

const WEB_ADDRESS = /(https?:\/\/[^\s<>"|]*[^\s<>"|.,;:!?)\]}'])/

/** A digest for a channel. `parts`: null: nothing happened, as only a preview says. */
export function digestLines(parts: readonly DigestPart[] | null, site: string): PostLine[] {
  const counts = (parts ?? []).map(({ counted, lines, more }) => `${lines.length + more} ${counted}`)
  return framed(parts ? `Groundswell: ${counts.join(', ')}` : 'Groundswell: nothing new', parts ?? [], site)
}

/** Alerts for a channel. */
export function alertLines(parts: readonly DigestPart[] | null, site: string): PostLine[] {
  return framed(parts ? 'Groundswell' : 'Groundswell: no alerts', parts ?? [], site)
}

function framed(title: string, parts: readonly DigestPart[], site: string): PostLine[] {
  return [
    { bold: true, parts: [title] },
    ...parts.flatMap(({ title: about, lines, more }) => {
      const left = lines.length + more - Math.min(lines.length, SHOWN)
      return [
        { parts: [] },
        { bold: true, parts: [about] },
        ...lines.slice(0, SHOWN).map(({ number, name, note }) => ({
          parts: [
            '• ',
            { text: oneLine(name, MAX_NAME) || '(no name)', url: `${site}/insights?issue=${number}` },
            ` (${note})`,
          ],
        })),
        ...(left > 0 ? [{ parts: ['• ', { text: `and ${left} more`, url: `${site}/insights` }] }] : []),
      ]
    }),
    { parts: [] },
    {
      parts: [
        'An owner chose this channel. Turn it off in ',
        { text: 'Settings', url: `${site}/settings/notifications` },
        '.',
      ],
    },
  ]
}

/** A text that a person wrote, unchanged: nothing in it is markup, and web addresses are links. */
export function replyLines(text: string): PostLine[] {
  return text.split(/\r?\n/).map((line) => ({
    parts: line
      .split(WEB_ADDRESS)
      .filter((part) => part !== '')
      .map((part) => (isWebAddress(part) ? { text: part, url: part } : part)),
  }))
}

/** Lines as plain text, for a preview. */
export function plainText(lines: readonly PostLine[]): string {
  return lines.map(({ parts }) => parts.map(partText).join('')).join('\n')
}

const partText = (part: PostPart) => (typeof part === 'string' ? part : part.text)
