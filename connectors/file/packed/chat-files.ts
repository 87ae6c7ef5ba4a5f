import { jsonListSplitter } from '../json-list.ts'

/**
 * The export of a Slack workspace: a folder for each channel with a file for each day. `root`: the folder in which all of it is, with a slash at its
 * end. `lists`: the files beside the folders.
 */
export type ChatExport = { root: string; days: Day[]; lists: ReadonlySet<string> }
type Day = { file: string; folder: string }

const DAY = /^(?:(.*\/)?([^/]+)\/)?\d{4}-\d\d-\d\d\.json$/
/** What an export has beside its folders. Of what may be private only the folders are read that are channels. */
const LISTS = ['channels.json', 'groups.json', 'users.json', 'integration_logs.json', 'dms.json', 'mpims.json']
/** Folders of direct messages, between two people or in a group. */
const DIRECT = /^(?:D[A-Z0-9]{6,}|mpdm-.+)$/

/**
 * The files of an archive as an export of a workspace, or of nothing but days of its channels, without the lists (then only their content says
 * whether they are). Null for any other archive.
 */
export function chatExportOf(names: readonly string[]): ChatExport | null {
  const days = names.flatMap((file): (Day & { root: string })[] => {
    const [is, root = '', folder = ''] = DAY.exec(file) ?? []
    return is === undefined || DIRECT.test(folder) ? [] : [{ file, folder, root }]
  })
  const [first] = days
  if (!first) return null
  const { root } = first
  const lists = new Set(LISTS.filter((list) => names.includes(root + list)))
  const named = lists.has('channels.json') || lists.has('users.json') || lists.has('groups.json')
  if (!named && names.some((name) => !DAY.test(name))) return null
  return { root, days: days.filter((day) => day.root === root && (!named || day.folder !== '')), lists }
}

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

/** Whether the first files of an archive look like such an export: then it may have many. */
export function mayBeChatExport(names: readonly string[]): boolean {
  return names.filter((name) => DAY.test(name)).length > names.length / 2
}
