import { Reader, Writer } from './bytes.ts'
import { Representer } from './features.ts'
import type { Language } from './language.ts'
import { StateVersionError } from './model.ts'
import { type Issue, type Node, type Shown, State } from './state.ts'
import { Vocabulary } from './vocabulary.ts'

/** Raised whenever stored states or the numbers in them would mean something else. */
const VERSION = 1
const MAGIC = 0x47575345
const LANGUAGES: Language[] = ['en', 'de', 'other']

/**
 * The state as bytes, about 250 bytes a kept statement and 12 a term. The same state gives the same bytes. The caller keeps
 * them as they are; only this engine version reads them.
 */
export function serialize(state: State): Uint8Array {
  const out = new Writer()
  out.number(MAGIC)
  out.number(VERSION)
  out.number(state.seed)
  for (const value of [state.nextIssue, state.seen, state.seenAtRevision, state.revisions, state.ripe]) out.count(value)
  const { vocabulary } = state
  out.count(vocabulary.texts)
  out.numbers(vocabulary.hashes.slice(0, vocabulary.size))
  out.numbers(vocabulary.frequency.slice(0, vocabulary.size))
  out.texts(state.statementIds)
  out.numbers(Int32Array.from(state.statementNodes))
  out.block(Uint8Array.from(state.statementEchoes))
  out.numbers(Int32Array.from(state.freeStatements))
  out.texts([...state.threads].flat())
  writeNodes(out, state.nodes)
  out.count(state.byHash.size)
  for (const [hash, node] of state.byHash) {
    out.number(hash)
    out.count(node)
  }
  writeIssues(out, [...state.issues.values()])
  return out.done()
}

/** The state that was stored. Throws StateVersionError for bytes of another version and RangeError for damaged ones. */
export function deserialize(bytes: Uint8Array): State {
  const from = new Reader(bytes)
  if (bytes.length < 24 || from.number() !== MAGIC) throw new StateVersionError('these bytes are no engine state')
  const version = from.number()
  if (version !== VERSION)
    throw new StateVersionError(`engine state of version ${version}; this engine reads ${VERSION}`)
  const state = new State(from.number())
  state.nextIssue = from.count()
  state.seen = from.count()
  state.seenAtRevision = from.count()
  state.revisions = from.count()
  state.ripe = from.count()
  const texts = from.count()
  const hashes = from.numbers()
  state.vocabulary = Vocabulary.of(hashes, new Uint32Array(from.numbers().buffer), texts)
  state.representer = new Representer(state.vocabulary)
  state.statementIds = from.texts()
  state.statementNodes = [...from.numbers()]
  state.statementEchoes = [...from.block()]
  state.freeStatements = [...from.numbers()]
  state.statementIds.forEach((id, index) => {
    if ((state.statementNodes[index] as number) >= 0) state.statementIndex.set(id, index)
  })
  const threads = from.texts()
  for (let i = 0; i + 1 < threads.length; i += 2) state.threads.set(threads[i] as string, threads[i + 1] as string)
  state.nodes = readNodes(from)
  state.nodes.forEach((node, index) => {
    if (node) state.postings.add(index, node.features.terms)
    else state.dropped++
  })
  for (let left = from.count(); left > 0; left--) state.byHash.set(from.number(), from.count())
  for (const issue of readIssues(from)) state.issues.set(issue.id, issue)
  return state
}

function writeNodes(out: Writer, nodes: (Node | null)[]): void {
  out.count(nodes.length)
  out.texts(nodes.map((node) => node?.text ?? ''))
  for (const node of nodes) {
    out.count(node ? LANGUAGES.indexOf(node.language) + 1 : 0)
    if (!node) continue
    out.numbers(node.features.terms)
    out.block(node.features.counts)
    out.count(node.features.words)
    out.number(node.hash)
    out.number(node.at)
    out.count(node.issue)
    out.count(node.pin + 1)
    out.numbers(Int32Array.from(node.bans))
    out.numbers(Int32Array.from(node.followers))
  }
}

function readNodes(from: Reader): (Node | null)[] {
  const count = from.count()
  const texts = from.texts()
  const nodes: (Node | null)[] = []
  for (let i = 0; i < count; i++) {
    const language = from.count()
    if (language === 0) {
      nodes.push(null)
      continue
    }
    nodes.push({
      features: { terms: from.numbers(), counts: from.block(), words: from.count() },
      text: texts[i] ?? '',
      language: LANGUAGES[language - 1] ?? 'other',
      hash: from.number(),
      at: from.number(),
      issue: from.count(),
      pin: from.count() - 1,
      bans: [...from.numbers()],
      followers: [...from.numbers()],
    })
  }
  return nodes
}

function writeIssues(out: Writer, issues: Issue[]): void {
  out.count(issues.length)
  for (const issue of issues) {
    out.count(issue.id)
    out.count((issue.removed ? 1 : 0) + (issue.visible ? 2 : 0) + (issue.shown ? 4 : 0))
    out.count(issue.mentions)
    out.count(issue.changed)
    out.numbers(Int32Array.from(issue.nodes))
    if (!issue.shown) continue
    out.texts([issue.shown.name, issue.shown.summary, issue.shown.hash])
    out.numbers(Int32Array.from(issue.shown.quotes))
    out.count(issue.shown.size)
  }
}

function readIssues(from: Reader): Issue[] {
  return Array.from({ length: from.count() }, () => {
    const id = from.count()
    const flags = from.count()
    const mentions = from.count()
    const changed = from.count()
    const nodes = new Set(from.numbers())
    const shown = (flags & 4) !== 0 ? readShown(from) : null
    return { id, removed: (flags & 1) !== 0, visible: (flags & 2) !== 0, mentions, changed, nodes, shown }
  })
}

function readShown(from: Reader): Shown {
  const [name = '', summary = '', hash = ''] = from.texts()
  return { name, summary, hash, quotes: [...from.numbers()], size: from.count() }
}
