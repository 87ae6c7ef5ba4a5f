import type { Unread } from '../kit/set-aside.ts'
import { conversationLink } from './item.ts'
import type { IntercomSettings } from './manifest.ts'

/** A conversation that could not be read; with `id` null, one that Intercom listed without its id. */
export function unreadConversation(settings: IntercomSettings, id: string | null): Unread {
  if (id === null) return { id: '', noun: 'conversation', label: '', link: null, again: false }
  return { id, noun: 'conversation', label: `#${id}`, link: conversationLink(settings, id) }
}
