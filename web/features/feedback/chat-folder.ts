/** An export of a chat: a file for each channel and day, and beside the channels' folders what they and people are called. */
const DAY = /^(?:.*\/)?\d{4}-\d\d-\d\d\.json$/
const DIRECT = /(?:^|\/)(?:D[A-Z0-9]{6,}|mpdm-[^/]*)\/[^/]*$/
const NAMES = /(?:^|\/)(?:users|channels|groups)\.json$/

/** Whether a file has the messages of a channel on one day, by its path. Those of direct messages are not read. */
export const isChannelDay = (path: string): boolean => DAY.test(path) && !DIRECT.test(path)

/** Whether a file says what people or channels are called. */
export const isNameList = (path: string): boolean => NAMES.test(path)

/** The files of an export of a chat that are read, by their paths; null where these files are none. */
export function chatFiles<File extends { path: string }>(files: readonly File[]): File[] | null {
  const days = files.filter(({ path }) => isChannelDay(path))
  const lists = files.filter(({ path }) => isNameList(path))
  if (days.length === 0 || (lists.length === 0 && days.length < files.length)) return null
  return [...lists, ...days]
}
