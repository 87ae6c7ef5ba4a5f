import { jsonListSplitter } from '../json-list.ts'

const TIME = /^\d{9,10}\.\d{6}$/

/** Whether the first bytes of a file are those of a day of a channel: a list of messages as Slack writes them. */
export function isChatDay(head: Uint8Array): boolean {
  if (head.find((byte) => byte > 32) !== 0x5b) return false
  const messages = jsonListSplitter([]).push(head).slice(0, 20)
  return messages.length > 0 && messages.every(isMessage)
}

function isMessage({ text }: { text: string }): boolean {
  try {
    const { type, ts } = (JSON.parse(text) ?? {}) as { type?: unknown; ts?: unknown }
    return type === 'message' && typeof ts === 'string' && TIME.test(ts)
  } catch {
    return false
  }
}
