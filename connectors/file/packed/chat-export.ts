import type { ChatFolder } from '@groundswell/contract/feedback/chat-folder.ts'
import { plainText } from '../../kit/mrkdwn/text.ts'
import { jsonListSplitter } from '../json-list.ts'
import { refuseBomb } from './inflate.ts'
import type { Zip } from './zip.ts'

/** Kinds of message that people write. All others are joins, topics, pins and the like. */
const WRITTEN = new Set(['me_message', 'thread_broadcast', 'reply_broadcast', 'file_share', 'file_comment'])
const NOTICE = 'The row is a notice of the channel, such as a join, not a message'
const BOT = 'The message was written by a bot'
const SLACKBOT = 'USLACKBOT'

type Json = Record<string, unknown>
type Names = Map<string, string>

/**
 * The messages of an export, each as a line of JSON with the same keys: one file is read at a time. What is no feedback, and what cannot be read, has
 * the reason in `left_out`. `onRead`: how many bytes of the archive were read. With `cut` files may end early. Throws `Rejected`
 * where it unpacks to far more than it should. Without `users.json` people are named as messages name them, which are read once more for that.
 */
export async function* chatLines(
  zip: Pick<Zip, 'read'>,
  found: ChatFolder,
  { cut, onRead, size }: { cut: boolean; onRead: (bytes: number) => void; size: number },
): AsyncGenerator<Uint8Array> {
  let given = 0
  let taken = 0
  async function* content(file: string): AsyncGenerator<Uint8Array> {
    const before = taken
    for await (const chunk of zip.read(file, (bytes) => onRead((taken = before + bytes)))) {
      given += chunk.byteLength
      // Files of an archive may share their bytes: all of them together unpack to no more than one of its size.
      refuseBomb(given, size)
      yield chunk
    }
  }
  const problems: string[] = []
  const read = (list: string) => listOf(found, list, content, { cut, problems })
  const people = peopleOf(await read('users.json'))
  const channels = await read('channels.json')
  channels.push(...(await read('groups.json')))
  if (!found.lists.has('users.json')) {
    if (found.lists.size > 0)
      problems.push('users.json is missing: people are named as their messages name them, or by their ids')
    for (const { file } of found.days) {
      for await (const message of objectsOf(content(file))) addName(people.names, message)
    }
    taken = 0
  }
  for (const why of problems) yield lineOf({ left_out: why })
  const ids = new Map(channels.flatMap(({ id, name }) => (isText(id) && isText(name) ? [[name, id]] : [])))
  const names: Names = new Map([...people.names, ...[...ids].map(([name, id]): [string, string] => [id, name])])
  for (const day of found.days) {
    const channel = { id: ids.get(day.folder) ?? day.folder, name: day.folder }
    const messages = objectsOf(content(day.file))
    let isWhole = true
    for await (const message of messages) {
      if (message === null) isWhole = false
      else yield lineOf(messageOf(message, channel, names, people.bots))
    }
    if (isWhole || cut) continue
    const file = day.file.slice(found.root.length)
    yield lineOf({ left_out: `${file} is damaged: what cannot be read of it was left out` })
  }
}

async function listOf(
  { root, lists }: ChatFolder,
  list: string,
  content: (file: string) => AsyncIterable<Uint8Array>,
  { cut, problems }: { cut: boolean; problems: string[] },
): Promise<Json[]> {
  const all: Json[] = []
  if (!lists.has(list)) return all
  let isWhole = true
  for await (const one of objectsOf(content(root + list))) {
    if (one === null) isWhole = false
    else all.push({ id: one.id, name: nameOf(one), is_bot: one.is_bot })
  }
  if (!isWhole && !cut) problems.push(`${list} is damaged: what cannot be read of it was left out`)
  return all
}

/** The objects of a JSON list; null for any other JSON. */
async function* objectsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Json | null> {
  const splitter = jsonListSplitter([])
  const parsed = ({ text, problem }: { text: string; problem: string | null }): Json | null => {
    if (problem !== null) return null
    try {
      const value: unknown = JSON.parse(text)
      return isObject(value) ? value : null
    } catch {
      return null
    }
  }
  let begins = ''
  for await (const chunk of bytes) {
    if (begins === '') begins = Buffer.from(chunk).toString('latin1').trimStart().slice(0, 1)
    for (const line of splitter.push(chunk)) yield parsed(line)
  }
  for (const line of splitter.end()) yield parsed(line)
  if (begins !== '[') yield null
}

function peopleOf(users: readonly Json[]): { names: Names; bots: ReadonlySet<unknown> } {
  return {
    names: new Map(users.flatMap(({ id, name }) => (isText(id) && isText(name) ? [[id, name]] : []))),
    bots: new Set([SLACKBOT, ...users.filter(({ is_bot }) => is_bot === true).map(({ id }) => id)]),
  }
}

/** The name of a person as the workspace shows it, or that of a channel. */
function nameOf({ profile, real_name, name }: Json): string | null {
  const { display_name, real_name: own } = isObject(profile) ? profile : {}
  return [display_name, own, real_name, name].find((one) => isText(one)) ?? null
}

function addName(names: Names, message: Json | null): void {
  const name = message && nameOf({ profile: message.user_profile })
  if (message && isText(message.user) && name !== null) names.set(message.user, name)
}

function messageOf(
  message: Json,
  channel: { id: string; name: string },
  names: Names,
  bots: ReadonlySet<unknown>,
): Json {
  const { subtype, ts, thread_ts, user, bot_id, hidden, user_profile } = message
  const at = isText(ts) ? ts : ''
  const idOf = (time: string) => (channel.id === '' ? time : `${channel.id}:${time}`)
  const place = channel.name === '' ? '' : `#${channel.name}`
  const placed = { id: idOf(at), channel: channel.name, place, date: dateOf(at) }
  if (isText(bot_id) || subtype === 'bot_message' || bots.has(user)) return { ...placed, left_out: BOT }
  if (hidden === true || (isText(subtype) && !WRITTEN.has(subtype))) return { ...placed, left_out: NOTICE }
  const author = isText(user) ? (names.get(user) ?? nameOf({ profile: user_profile }) ?? user) : ''
  const thread = isText(thread_ts) ? thread_ts : at
  return {
    ...placed,
    text: plainText(isText(message.text) ? message.text : '', names),
    author,
    thread: idOf(thread),
  }
}

function dateOf(ts: string): string {
  const time = new Date(Math.round(Number(ts) * 1000))
  return ts === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

/** Every line has the same keys, by which the export is recognised. */
function lineOf(message: Json): Uint8Array {
  const line = { id: '', text: '', author: '', date: '', channel: '', place: '', thread: '', left_out: '', ...message }
  return Buffer.from(`${JSON.stringify(line)}\n`)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
