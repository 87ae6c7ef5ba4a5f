/**
 * The unpacked export of a chat: a folder for each channel with a file for each day. `root`: the folder that contains all of it, with a trailing
 * slash. `lists`: the files beside the folders with the names of people and channels.
 */
export type ChatFolder = { root: string; days: ChatDay[]; lists: ReadonlySet<string> }
/** A file with the messages of one channel on one day: its path, and the name of its folder, which is the channel’s. */
export type ChatDay = { file: string; folder: string }

const DAY = /^(?:(.*\/)?([^/]+)\/)?\d{4}-\d\d-\d\d\.json$/
const LISTS = ['channels.json', 'groups.json', 'users.json']
/** Folders of direct messages, between two people or in a group. */
const DIRECT = /^(?:D[A-Z0-9]{6,}|mpdm-.+)$/

/**
 * The export that files are by their paths, also if it consists only of days of channels, without the lists (only the content then shows whether
 * it is an export). Folders of direct messages are left out, since they are private. Null for all other files.
 */
export function chatFolderOf(paths: readonly string[]): ChatFolder | null {
  const days = paths.flatMap((file): (ChatDay & { root: string })[] => {
    const [is, root = '', folder = ''] = DAY.exec(file) ?? []
    return is === undefined || DIRECT.test(folder) ? [] : [{ file, folder, root }]
  })
  const [first] = days
  if (!first) return null
  const { root } = first
  const lists = new Set(LISTS.filter((list) => paths.includes(root + list)))
  const named = lists.size > 0
  if (!named && paths.some((path) => !DAY.test(path))) return null
  return { root, days: days.filter((day) => day.root === root && (!named || day.folder !== '')), lists }
}

/** Whether the first files of an archive look like such an export: then it may have many. */
export function mayBeChatFolder(paths: readonly string[]): boolean {
  return paths.filter((path) => DAY.test(path)).length > paths.length / 2
}
