import { type Line, type LineSplitter, lineDecoder, MAX_LINE } from './line-splitter.ts'
import { isTextName, nameOf } from './names.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c]

/** A list is looked for in objects inside objects, so deep: `{"data": {"issues": {"labels": […]}}}`. */
const MAX_DEPTH = 3
/** The same of lists by whose names they hold messages: `{"data": {"repository": {"issues": {"nodes": […]}}}}`. */
const MAX_NAMED_DEPTH = 6
const MAX_KEY = 200
/** What the list of messages is called in exports and in the pages of APIs, likeliest first. */
const LISTS =
  `messages tickets conversations reviews feedback feedbacks cards tasks notes comments issues responses answers submissions posts topics threads items
  results records entries rows data value values nodes edges content hits objects list`.split(/\s+/)
const IDS = new Set(['id', 'uuid', 'key', '_id'])

/**
 * Where the list of rows is in JSON that is not one object per line: the keys that lead to it, none for an array. Null for JSON Lines and for
 * what is no JSON. An object with a text of its own is a message, and so is one of several with an id.
 */
export function listPathOf(head: Uint8Array): string[] | null {
  const start = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  if (/^\s*\[\s*(\{|$)/.test(start)) return []
  if (!/^\s*\{/.test(start)) return null
  const walk = walker()
  const found: string[][] = []
  let at = 0
  for (; at < head.byteLength; at += 1) {
    const path = walk.step(head[at] ?? 0)
    if (path && path.length > 0 && path.length <= depthOf(path) && isObjectNext(head, at + 1)) found.push(path)
    if (at > 0 && walk.depth() === 0 && head[at] === CLOSE_OBJECT) break
  }
  const [best] = found.toSorted((a, b) => rank(a) - rank(b) || a.length - b.length)
  if (!best) return null
  // Our own export of insights: each line has its mentions.
  if (walk.ownKeys().includes('issue_number') && found.some((path) => path.join('.') === 'evidence'))
    return ['evidence']
  const isOne = !isObjectNext(head, at + 1, false)
  const keys = walk.ownKeys().map(nameOf)
  const isNamed = rank(best) < LISTS.length
  if (keys.some((key) => IDS.has(key)) && !isOne) return null
  return keys.some(isTextName) && !(isNamed && isOne) ? null : best
}

const depthOf = (path: readonly string[]) => (rank(path) < LISTS.length ? MAX_NAMED_DEPTH : MAX_DEPTH)

const rank = (path: readonly string[]): number => {
  const place = LISTS.indexOf(nameOf(path.at(-1) ?? ''))
  return place < 0 ? LISTS.length : place
}

/** Where the rows of JSON are that is not one object per line: `path` as `listPathOf` gives it. `of`: objects, texts alone, or objects by their ids, `{"17": {…}}`. */
export type ListPlace = { path: string[]; of: 'objects' | 'texts' | 'entries' }

/** Where the rows are; null for JSON Lines, for one object or several without a list, and for text that is not JSON. */
export function listPlaceOf(head: Uint8Array): ListPlace | null {
  const entries = entriesPathOf(head)
  const list = listPathOf(head)
  // A list inside of an entry belongs to its message.
  const isBeside = list !== null && entries?.some((key, at) => list[at] !== key) === true
  if (entries && !(isBeside && rank(list) < LISTS.length)) return { path: entries, of: 'entries' }
  if (list) return { path: list, of: 'objects' }
  const texts = textsPathOf(head)
  return texts && { path: texts, of: 'texts' }
}

/** A list of messages begins in the first part of this size, which is also what a browser sends for a preview. Boards have changes before their cards. */
const UNSURE_BYTES = 256 * 1024

/** Whether the list that was found has no name of a list of messages, and another one may follow these bytes. */
export function isUnsure(head: Uint8Array): boolean {
  const list = head.byteLength <= UNSURE_BYTES ? listPathOf(head) : null
  if (!list || list.length === 0 || rank(list) < LISTS.length) return false
  const walk = walker()
  for (let at = 0; at < head.byteLength; at += 1) {
    walk.step(head[at] ?? 0)
    if (walk.depth() === 0 && head[at] === CLOSE_OBJECT) return false
  }
  return true
}

/** A list of texts instead of objects: alone, or by its name in an object that says nothing else of a message. */
function textsPathOf(head: Uint8Array): string[] | null {
  const start = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  if (/^\s*\[\s*"/.test(start)) return []
  if (!/^\s*\{/.test(start)) return null
  const walk = walker()
  for (let at = 0; at < head.byteLength; at += 1) {
    const path = walk.step(head[at] ?? 0)
    if (!path || path.length === 0 || rank(path) === LISTS.length || nextSign(head, at + 1) !== QUOTE) continue
    const keys = walk.ownKeys().map(nameOf)
    return keys.some((key) => IDS.has(key) || isTextName(key)) ? null : path
  }
  return null
}

/** More of a file does not say whether its objects are named by ids. */
const ENTRIES_BYTES = 64 * 1024
/** A list of objects by their ids has fewer objects around it. */
const ENTRIES_DEPTH = 2
/** An id has a digit and no space: `17`, `-Nx3a`, `rec_12`. */
const ENTRY = /^(?=\D*\d)\S{1,100}$/

/** The keys that lead to an object whose values are the messages, each named by its id; null where there is none. */
function entriesPathOf(head: Uint8Array): string[] | null {
  const first = head.subarray(0, ENTRIES_BYTES)
  if (first.find((byte) => byte > 32) !== OPEN_OBJECT) return null
  const members = new Map<string, { path: string[]; keys: string[] }>()
  const objects = new Set<string>()
  const note = (path: string[]) => {
    const around = path.slice(0, -1)
    const known = members.get(JSON.stringify(around)) ?? { path: around, keys: [] }
    known.keys.push(path.at(-1) ?? '')
    members.set(JSON.stringify(around), known)
  }
  const walk = walker(OPEN_OBJECT, note)
  let at = 0
  for (; at < first.byteLength; at += 1) {
    const path = walk.step(first[at] ?? 0)
    if (path) objects.add(JSON.stringify(path))
    if (walk.depth() === 0 && first[at] === CLOSE_OBJECT) break
  }
  if (
    nextSign(first, at + 1) !== null ||
    walk
      .ownKeys()
      .map(nameOf)
      .some((key) => IDS.has(key) || isTextName(key))
  )
    return null
  const keysOf = (path: readonly string[]) => members.get(JSON.stringify(path))?.keys ?? []
  const isEntries = ({ path, keys }: { path: string[]; keys: string[] }) => {
    // The value of the last key may be cut off.
    if (keys.length < 2 || !keys.every((key) => ENTRY.test(key))) return false
    if (!keys.slice(0, -1).every((key) => objects.has(JSON.stringify([...path, key])))) return false
    const [one, other] = keys.map((key) => keysOf([...path, key]))
    // Inside of another object, there may also be the parts of one message.
    if (path.length > 0 && rank(path) === LISTS.length && !one?.some(isTextName)) return false
    return one !== undefined && other !== undefined && one.filter((key) => other.includes(key)).length >= one.length / 2
  }
  return [...members.values()].filter(({ path }) => path.length < ENTRIES_DEPTH).find(isEntries)?.path ?? null
}

/** The next sign that is no space; null where nothing follows. */
const nextSign = (head: Uint8Array, from: number): number | null => {
  for (let at = from; at < head.byteLength; at += 1) if ((head[at] ?? 0) > 32) return head[at] ?? null
  return null
}

/** Whether the next sign begins an object; `ended`: what holds where nothing follows. */
function isObjectNext(head: Uint8Array, from: number, ended = true): boolean {
  const next = nextSign(head, from)
  return next === null ? ended : next === OPEN_OBJECT
}

/**
 * Whether these are objects over several lines each, as programs print JSON for people: one, or one after the other. Of a list in JSON
 * `listPathOf` says where it is.
 */
export const isSpread = (head: Uint8Array): boolean =>
  /^\s*\{[ \t]*\r?\n\s*"/.test(Buffer.from(head.subarray(0, 4096)).toString('latin1'))

/**
 * Follows JSON byte by byte. `step` returns the keys of the objects around a list that begins, or an object with `opening`, where there are only
 * objects around it. `ownKeys`: those of the outermost object with a value that is no object or list, as far as it was read. `onKey` is called with the
 * keys that lead to a value, to three levels.
 */
function walker(opening = OPEN_LIST, onKey?: (path: string[]) => void) {
  const around: { isObject: boolean; key: string }[] = []
  /** How many objects and lists are open below those, too deep for a list of rows. */
  let deeper = 0
  const own: string[] = []
  let key: number[] = []
  let [quoted, escaped] = [false, false]

  const inString = (byte: number) => {
    if (escaped) escaped = false
    else if (byte === BACKSLASH) escaped = true
    else if (byte === QUOTE) quoted = false
    if (quoted && deeper === 0 && key.length < MAX_KEY) key.push(byte)
  }
  return {
    step(byte: number): string[] | null {
      if (quoted) {
        inString(byte)
        return null
      }
      const inner = deeper > 0 ? undefined : around.at(-1)
      if (byte === QUOTE) {
        quoted = true
        if (deeper === 0) key = []
      } else if (byte === COLON && inner?.isObject) {
        inner.key = Buffer.from(key).toString()
        if (around.length === 1) own.push(inner.key)
        if (onKey && around.length <= MAX_DEPTH && around.every(({ isObject }) => isObject))
          onKey(around.map((one) => one.key))
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (around.length === 1) own.pop()
        if (around.length > MAX_NAMED_DEPTH) {
          deeper += 1
          return null
        }
        const path = around.every(({ isObject }) => isObject) ? around.map((one) => one.key) : null
        around.push({ isObject: byte === OPEN_OBJECT, key: '' })
        return byte === opening ? path : null
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (deeper > 0) deeper -= 1
        else around.pop()
      }
      return null
    },
    depth: () => around.length + deeper,
    ownKeys: () => own,
  }
}

/**
 * Splits the bytes of a list in JSON into its elements, as if each had its own line: the line number is that of the element, from 1. `path` are the
 * keys that lead to the list; several values one after the other, such as the pages of an API, are one list. Buffers one element at a
 * time, of 1 MiB at most; a longer one is reported and skipped. The reader checks whether an element is valid JSON. With `null` for the path
 * the elements are the objects that follow each other without a list around them. `of`: what the elements are; texts and entries become objects.
 */
export function jsonListSplitter(
  path: readonly string[] | null,
  open = false,
  of: ListPlace['of'] = 'objects',
): LineSplitter {
  const decoder = lineDecoder(open)
  const [opening, closing] = of === 'entries' ? [OPEN_OBJECT, CLOSE_OBJECT] : [OPEN_LIST, CLOSE_LIST]
  const outside = walker(opening)
  let held: Uint8Array[] = []
  let size = 0
  let skipping = false
  let number = 0
  /** The depth of the next byte: 0 outside the list, 1 between its elements. */
  let depth = 0
  let quoted = false
  let escaped = false

  const hold = (bytes: Uint8Array) => {
    size += bytes.byteLength
    if (size > MAX_LINE) {
      skipping = true
      held = []
    } else if (bytes.byteLength > 0) held.push(Uint8Array.from(bytes))
  }

  const take = (lines: Line[]) => {
    const whole = Buffer.concat(held)
    if (skipping || whole.toString('latin1').trim() !== '') {
      number += 1
      const line = decoder.line(whole, number, skipping)
      lines.push({ ...line, text: asObject(line.text, of) })
    }
    held = []
    size = 0
    skipping = false
  }

  const begins = (byte: number): boolean => {
    if (path === null) return byte === OPEN_OBJECT
    const found = outside.step(byte)
    return found !== null && found.length === path.length && found.every((key, at) => key === path[at])
  }

  return {
    push(chunk) {
      const lines: Line[] = []
      let from = 0
      for (let at = 0; at < chunk.byteLength; at += 1) {
        const byte = chunk[at] ?? 0
        if (depth === 0) {
          if (!begins(byte)) continue
          from = path === null ? at : at + 1
          depth = path === null ? 2 : 1
        } else if (quoted) {
          if (escaped) escaped = false
          else if (byte === BACKSLASH) escaped = true
          else if (byte === QUOTE) quoted = false
        } else if (byte === QUOTE) quoted = true
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
        else if (depth > 1 && (byte === CLOSE_LIST || byte === CLOSE_OBJECT)) {
          depth -= 1
          if (path !== null || depth > 1) continue
          hold(chunk.subarray(from, at + 1))
          take(lines)
          depth = 0
        } else if (depth === 1 && (byte === COMMA || byte === closing)) {
          hold(chunk.subarray(from, at))
          take(lines)
          from = at + 1
          if (byte === closing) {
            depth = 0
            outside.step(byte)
          }
        }
      }
      if (depth > 0) hold(chunk.subarray(from))
      return lines
    },
    end() {
      const lines: Line[] = []
      take(lines)
      return lines
    },
  }
}

/** An element as an object: a text as that of a message, an entry with its id as `key`, unless it has one. Others as they are. */
function asObject(element: string, of: ListPlace['of']): string {
  if (of === 'objects') return element
  const text = element.trim()
  if (of === 'texts') return text.startsWith('"') ? `{"text":${text}}` : element
  const [whole, key] = /^("(?:[^"\\]|\\.)*")\s*:\s*\{/.exec(text) ?? []
  if (whole === undefined) return element
  const rest = text.slice(whole.length)
  return `{"key":${key}${/^\s*\}/.test(rest) ? '' : ','}${rest}`
}
