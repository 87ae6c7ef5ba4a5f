/**
 * The export of a Slack workspace: a folder for each channel with a file for each day. `root`: the folder in which all of it is, with a slash at its
 * end. `lists`: the files beside the folders.
 */
export type ChatExport = { root: string; days: Day[]; lists: ReadonlySet<string> }
type Day = { file: string; folder: string }

const DAY = /^(.*\/)?([^/]+)\/\d{4}-\d\d-\d\d\.json$/
/** What an export has beside its folders. Of what may be private only the folders are read that are channels. */
const LISTS = ['channels.json', 'groups.json', 'users.json', 'integration_logs.json', 'dms.json', 'mpims.json']
/** Folders of direct messages, between two people or in a group. */
const DIRECT = /^(?:D[A-Z0-9]{6,}|mpdm-.+)$/

/** The files of an archive as an export of a workspace; null for any other archive. */
export function chatExportOf(names: readonly string[]): ChatExport | null {
  const days = names.flatMap((file): (Day & { root: string })[] => {
    const [, root = '', folder = ''] = DAY.exec(file) ?? []
    return folder === '' || DIRECT.test(folder) ? [] : [{ file, folder, root }]
  })
  const [first] = days
  if (!first) return null
  const { root } = first
  const lists = new Set(LISTS.filter((list) => names.includes(root + list)))
  if (!lists.has('channels.json') && !lists.has('users.json') && !lists.has('groups.json')) return null
  return { root, days: days.filter((day) => day.root === root), lists }
}

/** Whether the first files of an archive look like such an export: then it may have many. */
export function mayBeChatExport(names: readonly string[]): boolean {
  return names.filter((name) => DAY.test(name)).length > names.length / 2
}
