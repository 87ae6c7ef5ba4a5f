import { NormCache } from '../clustering/similarity/norms.ts'
import { ENGINE_VERSION, StateVersionError } from '../model.ts'
import { Boilerplate } from '../text/boilerplate.ts'
import { EMPTY_FEATURES, FeatureExtractor, type Features, MAX_TERMS } from '../text/features.ts'
import { KNOWN_LANGUAGES, type Language } from '../text/language.ts'
import { Vocabulary } from '../text/vocabulary.ts'
import { Reader, Writer } from './bytes.ts'
import { type Echo, featuresOf, type Issue, type IssueDisplay, type Node, reindex, State } from './state.ts'

const MAGIC = 0x47575345
/** Size estimates, see `Writer`. */
const NODE_BYTES = 800
const STATEMENT_BYTES = 32
/** By their stored numbers. */
const LANGUAGES: Language[] = [...KNOWN_LANGUAGES.slice(0, 2), 'other', ...KNOWN_LANGUAGES.slice(2)]

/**
 * The state as bytes, about 600 per kept statement and 6 per term. Equal states give equal bytes. Only the same
 * engine version can read them.
 */
export function serialize(state: State): Uint8Array {
  const out = new Writer(NODE_BYTES * state.nodes.length + STATEMENT_BYTES * state.statementIds.length + (1 << 16))
  out.number(MAGIC)
  out.number(ENGINE_VERSION)
  out.number(state.seed)
  out.strings([state.space, ...(state.spaceLanguages ?? [])])
  out.count((state.spaceLanguages ? 1 : 0) + (state.bySentences ? 2 : 0) + (state.parted.size > 0 ? 4 : 0))
  for (const value of [
    state.nextIssue,
    state.nextEmerging,
    state.seen,
    state.seenAtRevision,
    state.nodesAtRevision,
    state.revisions,
    state.pendingMatches,
  ])
    out.count(value)
  const { vocabulary } = state
  out.count(vocabulary.texts)
  out.numbers(vocabulary.hashes.subarray(0, vocabulary.size))
  out.deltas(vocabulary.frequency.subarray(0, vocabulary.size))
  out.deltas(state.boilerplate.toNumbers())
  out.strings(state.statementIds)
  out.deltas(state.statementNodes)
  out.block(Uint8Array.from(state.statementEchoes))
  out.deltas(state.freeStatements)
  out.strings([...state.threads].flat())
  writeNodes(out, state)
  state.norms.write(out, state.nodes.length)
  out.count(state.nodesByHash.size)
  for (const [hash, node] of state.nodesByHash) {
    out.number(hash)
    out.count(node)
  }
  writeIssues(out, [...state.issues.values()])
  writeConstraints(out, state)
  if (state.parted.size > 0) writeParted(out, state)
  return out.finish()
}

/** Restores a state. Throws StateVersionError for another version's bytes and RangeError for damaged ones. */
export function deserialize(bytes: Uint8Array): State {
  const from = new Reader(bytes)
  if (bytes.length < 24 || from.number() !== MAGIC) throw new StateVersionError('these bytes are no engine state')
  const version = from.number()
  if (version !== ENGINE_VERSION)
    throw new StateVersionError(`engine state of version ${version}; this engine reads ${ENGINE_VERSION}`)
  const seed = from.number()
  const [space, ...languages] = from.strings()
  const state = new State(seed, space)
  const flags = from.count()
  if ((flags & 1) !== 0) state.spaceLanguages = languages as Language[]
  state.bySentences = (flags & 2) !== 0
  state.nextIssue = from.count()
  state.nextEmerging = from.count()
  state.seen = from.count()
  state.seenAtRevision = from.count()
  state.nodesAtRevision = from.count()
  state.revisions = from.count()
  state.pendingMatches = from.count()
  const texts = from.count()
  const hashes = from.numbers()
  state.vocabulary = Vocabulary.of(hashes, Uint32Array.from(from.deltas()), texts)
  state.boilerplate = Boilerplate.fromNumbers(from.deltas())
  state.featureExtractor = new FeatureExtractor(state.vocabulary)
  state.statementIds = from.strings()
  state.statementNodes = from.deltas()
  state.statementEchoes = [...from.block()] as Echo[]
  state.freeStatements = from.deltas()
  state.statementIds.forEach((id, index) => {
    if ((state.statementNodes[index] as number) >= 0) state.statementIndex.set(id, index)
  })
  const threads = from.strings()
  for (let i = 0; i + 1 < threads.length; i += 2) state.threads.set(threads[i] as string, threads[i + 1] as string)
  readNodes(from, state)
  reindex(state)
  state.dropped = state.nodes.filter((node) => node === null).length
  state.norms = NormCache.from(from)
  for (let left = from.count(); left > 0; left--) state.nodesByHash.set(from.number(), from.count())
  for (const issue of readIssues(from)) state.issues.set(issue.id, issue)
  readConstraints(from, state)
  if ((flags & 4) !== 0) for (const id of from.strings()) state.parted.set(id, from.deltas())
  return state
}

function writeNodes(out: Writer, state: State): void {
  const { nodes } = state
  out.count(nodes.length)
  out.strings(nodes.map((node) => node?.text ?? ''))
  out.strings(nodes.map((node) => node?.point ?? ''))
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]
    out.count(node ? LANGUAGES.indexOf(node.language) + 1 + (node.meant ? LANGUAGES.length : 0) : 0)
    if (!node) continue
    const { terms, counts, vector, words, short } = featuresOf(state, index)
    out.deltas(terms)
    out.block(counts)
    out.block(new Uint8Array(vector ?? []))
    out.count(words)
    out.count(short)
    out.number(node.hash)
    out.number(node.at)
    out.count(node.issue)
    out.count(2 * (node.pin + 1) + (node.subjectless ? 1 : 0))
    out.deltas(node.bans)
    out.deltas(node.followers)
  }
}

function readNodes(from: Reader, { nodes, forwardIndex }: State): void {
  const count = from.count()
  const texts = from.strings()
  const points = from.strings()
  for (let i = 0; i < count; i++) {
    const language = from.count()
    if (language === 0) {
      nodes.push(null)
      forwardIndex.add(EMPTY_FEATURES, 0)
      continue
    }
    const terms = Int32Array.from(from.deltas())
    const counts = from.block()
    const vector = readVector(from)
    const features = { terms, counts, words: from.count(), short: from.count() }
    if (!isConsistent(features)) throw new RangeError('the stored state is damaged')
    const [hash, at, issue, pinned] = [from.number(), from.number(), from.count(), from.count()]
    const node: Node = {
      ...vector,
      text: texts[i] ?? '',
      ...(points[i] ? { point: points[i] } : {}),
      language: LANGUAGES[(language - 1) % LANGUAGES.length] ?? 'other',
      ...(language > LANGUAGES.length ? { meant: true } : {}),
      hash,
      at,
      issue,
      subjectless: pinned % 2 === 1,
      pin: Math.floor(pinned / 2) - 1,
      bans: from.deltas(),
      followers: from.deltas(),
    }
    nodes.push(node)
    forwardIndex.add(features, node.issue)
  }
}

function isConsistent({ terms, counts, words, short }: Features): boolean {
  return terms.length <= MAX_TERMS && counts.length === terms.length && words <= short && short <= terms.length
}

function readVector(from: Reader): Pick<Node, 'vector'> {
  const bytes = from.block()
  return bytes.length > 0 ? { vector: Int8Array.from(bytes, (byte) => (byte > 127 ? byte - 256 : byte)) } : {}
}

function writeIssues(out: Writer, issues: Issue[]): void {
  out.count(issues.length)
  for (const issue of issues) {
    out.count(issue.id)
    out.count(
      (issue.removed ? 1 : 0) +
        (issue.visible ? 2 : 0) +
        (issue.shown ? 4 : 0) +
        (issue.locked ? 8 : 0) +
        (issue.shown?.confident === false ? 16 : 0),
    )
    out.count(issue.mentions)
    out.count(issue.changed)
    out.deltas([...issue.nodes])
    if (!issue.shown) continue
    out.strings([issue.shown.name, issue.shown.summary, issue.shown.hash])
    out.deltas(issue.shown.quotes)
    out.count(issue.shown.size)
  }
}

function readIssues(from: Reader): Issue[] {
  return Array.from({ length: from.count() }, () => {
    const id = from.count()
    const flags = from.count()
    const mentions = from.count()
    const changed = from.count()
    const nodes = new Set(from.deltas())
    const shown = (flags & 4) !== 0 ? readShown(from, (flags & 16) === 0) : null
    const [removed, visible, locked] = [1, 2, 8].map((flag) => (flags & flag) !== 0) as [boolean, boolean, boolean]
    return { id, removed, visible, locked, mentions, changed, nodes, shown }
  })
}

function writeConstraints(out: Writer, { rules, successors, advice }: State): void {
  out.strings([...rules.keys()])
  for (const { pin, bans } of rules.values()) {
    out.count(pin + 1)
    out.deltas(bans)
  }
  out.deltas([...successors].flat())
  out.strings([...advice.keys()])
  out.deltas([...advice.values()])
}

function writeParted(out: Writer, { parted }: State): void {
  out.strings([...parted.keys()])
  for (const issueIds of parted.values()) out.deltas(issueIds)
}

function readConstraints(from: Reader, state: State): void {
  for (const statementId of from.strings()) state.rules.set(statementId, { pin: from.count() - 1, bans: from.deltas() })
  const heirs = from.deltas()
  for (let i = 0; i + 1 < heirs.length; i += 2) state.successors.set(heirs[i] as number, heirs[i + 1] as number)
  const advised = from.strings()
  from.deltas().forEach((issueId, i) => {
    state.advice.set(advised[i] as string, issueId)
  })
}

function readShown(from: Reader, confident: boolean): IssueDisplay {
  const [name = '', summary = '', hash = ''] = from.strings()
  return { name, confident, summary, hash, quotes: from.deltas(), size: from.count() }
}
