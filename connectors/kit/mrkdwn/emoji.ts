import { EMOJI_TABLE } from './emoji-table.ts'

const words = EMOJI_TABLE.trim().split(/\s+/)
const byName = new Map<string, string>()
for (let index = 0; index + 1 < words.length; index += 2) byName.set(words[index] ?? '', words[index + 1] ?? '')

/** The character of a code such as `tada`, or undefined when it is not a standard one: a workspace's own stay as typed. */
export function emoji(name: string): string | undefined {
  return byName.get(name)
}
