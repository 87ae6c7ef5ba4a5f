import { seededRandom, shuffle } from './random.ts'

/**
 * An undirected weighted graph in compressed rows: the neighbours of `i` are `targets[starts[i]..starts[i + 1])`, in
 * both directions.
 */
export type Graph = { size: number; starts: Int32Array; targets: Int32Array; weights: Float32Array }

/** How communities are found. */
export type LeidenOptions = {
  /** above 1: more and smaller communities */
  resolution: number
  seed: number
  /** initial communities, one per node; default: every node alone */
  start?: Int32Array
  /** maximum rounds of move, refine, aggregate */
  rounds?: number
}

/**
 * Communities of a graph by modularity with a resolution (Leiden: local moving, refinement, aggregation; Traag et al.
 * 2019). Returns a community per node, numbered from 0 in order of first member. Every community is connected.
 * Deterministic for the same graph, start and seed.
 */
export function leiden(graph: Graph, options: LeidenOptions): Int32Array {
  const random = seededRandom(options.seed)
  const membership = Int32Array.from({ length: graph.size }, (_, i) => i)
  let level = levelOf(graph)
  let partition = renumbered(options.start ?? membership).labels
  for (let round = 0; round < (options.rounds ?? 10); round++) {
    const moved = moveNodes(level, partition, options.resolution, random)
    const communities = renumbered(partition)
    partition = communities.labels
    if (communities.count === level.size) break
    const refined = renumbered(refine(level, partition, options.resolution, random))
    if (refined.count === level.size && !moved) break
    const carried = new Int32Array(refined.count)
    for (let i = 0; i < level.size; i++) carried[refined.labels[i] as number] = partition[i] as number
    for (let i = 0; i < membership.length; i++) membership[i] = refined.labels[membership[i] as number] as number
    if (refined.count === level.size) {
      partition = carried
      break
    }
    level = aggregate(level, refined.labels, refined.count)
    partition = carried
  }
  const answer = new Int32Array(graph.size)
  for (let i = 0; i < graph.size; i++) answer[i] = partition[membership[i] as number] as number
  return renumbered(answer).labels
}

/** A graph with each node's degree and the weight inside it. */
type Level = Graph & { degrees: Float64Array; total: number }

function levelOf(graph: Graph, inner?: Float64Array): Level {
  const degrees = new Float64Array(graph.size)
  let total = 0
  for (let i = 0; i < graph.size; i++) {
    let degree = inner ? (inner[i] as number) : 0
    for (let e = graph.starts[i] as number; e < (graph.starts[i + 1] as number); e++)
      degree += graph.weights[e] as number
    degrees[i] = degree
    total += degree
  }
  return { ...graph, degrees, total }
}

function renumbered(labels: Int32Array): { labels: Int32Array; count: number } {
  let largest = -1
  for (let i = 0; i < labels.length; i++) if ((labels[i] as number) > largest) largest = labels[i] as number
  const renamed = new Int32Array(largest + 1).fill(-1)
  const out = new Int32Array(labels.length)
  let count = 0
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    if (renamed[label] === -1) renamed[label] = count++
    out[i] = renamed[label] as number
  }
  return { labels: out, count }
}

/** Moves nodes to the neighbouring community with the highest gain until none gains. Changes `partition`. */
function moveNodes(level: Level, partition: Int32Array, resolution: number, random: () => number): boolean {
  const { size, starts, targets, weights, degrees, total } = level
  if (total === 0) return false
  const volume = new Float64Array(size)
  const members = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    const c = partition[i] as number
    volume[c] = (volume[c] as number) + (degrees[i] as number)
    members[c] = (members[c] as number) + 1
  }
  const empty: number[] = []
  for (let c = size - 1; c >= 0; c--) if (members[c] === 0) empty.push(c)
  const queue = Int32Array.from({ length: size }, (_, i) => i)
  shuffle(queue, random)
  const queued = new Uint8Array(size).fill(1)
  const toward = new Float64Array(size)
  const touched: number[] = []
  let head = 0
  let waiting = size
  let moved = false
  while (waiting > 0) {
    const node = queue[head] as number
    head = head + 1 === size ? 0 : head + 1
    waiting--
    queued[node] = 0
    const own = partition[node] as number
    const degree = degrees[node] as number
    touched.length = 0
    for (let e = starts[node] as number; e < (starts[node + 1] as number); e++) {
      const c = partition[targets[e] as number] as number
      if (toward[c] === 0) touched.push(c)
      toward[c] = (toward[c] as number) + (weights[e] as number)
    }
    const scale = (resolution * degree) / total
    let best = own
    let bestGain = (toward[own] as number) - scale * ((volume[own] as number) - degree)
    for (const c of touched) {
      if (c === own) continue
      const gain = (toward[c] as number) - scale * (volume[c] as number)
      if (gain > bestGain + 1e-12) {
        best = c
        bestGain = gain
      }
    }
    if (bestGain < -1e-12 && (members[own] as number) > 1) {
      const free = empty.pop()
      if (free !== undefined) best = free
    }
    for (const c of touched) toward[c] = 0
    if (best === own) continue
    moved = true
    volume[own] = (volume[own] as number) - degree
    volume[best] = (volume[best] as number) + degree
    members[best] = (members[best] as number) + 1
    members[own] = (members[own] as number) - 1
    if (members[own] === 0) empty.push(own)
    partition[node] = best
    for (let e = starts[node] as number; e < (starts[node + 1] as number); e++) {
      const next = targets[e] as number
      if (queued[next] === 1 || partition[next] === best) continue
      queued[next] = 1
      queue[(head + waiting) % size] = next
      waiting++
    }
  }
  return moved
}

/**
 * Splits each community into well-connected parts by merging single nodes inside it. A node joins one of the parts
 * with a gain, with a probability that increases with the gain.
 */
function refine(level: Level, partition: Int32Array, resolution: number, random: () => number): Int32Array {
  const { size, starts, targets, weights, degrees, total } = level
  const parts = Int32Array.from({ length: size }, (_, i) => i)
  if (total === 0) return parts
  const communityVolume = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const c = partition[i] as number
    communityVolume[c] = (communityVolume[c] as number) + (degrees[i] as number)
  }
  const volume = Float64Array.from(degrees)
  const inward = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    for (let e = starts[i] as number; e < (starts[i + 1] as number); e++) {
      if (partition[targets[e] as number] === partition[i]) inward[i] = (inward[i] as number) + (weights[e] as number)
    }
  }
  const cut = Float64Array.from(inward)
  const alone = new Uint8Array(size).fill(1)
  const order = Int32Array.from({ length: size }, (_, i) => i)
  shuffle(order, random)
  const toward = new Float64Array(size)
  const touched: number[] = []
  const gains: number[] = []
  for (let k = 0; k < size; k++) {
    const node = order[k] as number
    if (alone[node] === 0) continue
    const community = partition[node] as number
    const whole = communityVolume[community] as number
    const degree = degrees[node] as number
    if ((inward[node] as number) < (resolution * degree * (whole - degree)) / total) continue
    touched.length = 0
    gains.length = 0
    for (let e = starts[node] as number; e < (starts[node + 1] as number); e++) {
      const next = targets[e] as number
      if (partition[next] !== community) continue
      const part = parts[next] as number
      if (toward[part] === 0) touched.push(part)
      toward[part] = (toward[part] as number) + (weights[e] as number)
    }
    let most = 0
    for (const part of touched) {
      const held = volume[part] as number
      const connected = (cut[part] as number) >= (resolution * held * (whole - held)) / total
      const gain = connected ? (toward[part] as number) - (resolution * degree * held) / total : -1
      gains.push(gain)
      if (gain > most) most = gain
    }
    const chosen = most > 0 ? drawPart(touched, gains, most, random) : node
    if (chosen !== node) {
      parts[node] = chosen
      volume[chosen] = (volume[chosen] as number) + degree
      cut[chosen] = (cut[chosen] as number) + (inward[node] as number) - 2 * (toward[chosen] as number)
      alone[chosen] = 0
      alone[node] = 0
    }
    for (const part of touched) toward[part] = 0
  }
  return parts
}

/** Draws one of the parts with a gain: one with 90% of the best gain is e^-10 times as likely as the best. */
function drawPart(parts: number[], gains: number[], most: number, random: () => number): number {
  let sum = 0
  for (const gain of gains) if (gain > 0) sum += Math.exp((100 * (gain - most)) / most)
  let at = random() * sum
  let last = parts[0] as number
  for (let i = 0; i < parts.length; i++) {
    const gain = gains[i] as number
    if (gain <= 0) continue
    last = parts[i] as number
    at -= Math.exp((100 * (gain - most)) / most)
    if (at <= 0) return last
  }
  return last
}

/** The graph whose nodes are the parts. Weight inside a part stays in its degree. */
function aggregate(level: Level, parts: Int32Array, count: number): Level {
  const order = new Int32Array(level.size)
  const firsts = new Int32Array(count + 1)
  for (let i = 0; i < level.size; i++)
    firsts[(parts[i] as number) + 1] = (firsts[(parts[i] as number) + 1] as number) + 1
  for (let p = 0; p < count; p++) firsts[p + 1] = (firsts[p + 1] as number) + (firsts[p] as number)
  const fill = Int32Array.from(firsts)
  for (let i = 0; i < level.size; i++) {
    const p = parts[i] as number
    order[fill[p] as number] = i
    fill[p] = (fill[p] as number) + 1
  }
  const starts = new Int32Array(count + 1)
  const targets: number[] = []
  const weights: number[] = []
  const inner = new Float64Array(count)
  const toward = new Float64Array(count)
  const touched: number[] = []
  for (let p = 0; p < count; p++) {
    touched.length = 0
    for (let k = firsts[p] as number; k < (firsts[p + 1] as number); k++) {
      const node = order[k] as number
      let own = level.degrees[node] as number
      for (let e = level.starts[node] as number; e < (level.starts[node + 1] as number); e++) {
        const weight = level.weights[e] as number
        own -= weight
        const q = parts[level.targets[e] as number] as number
        if (q === p) {
          inner[p] = (inner[p] as number) + weight
          continue
        }
        if (toward[q] === 0) touched.push(q)
        toward[q] = (toward[q] as number) + weight
      }
      inner[p] = (inner[p] as number) + own
    }
    for (const q of touched) {
      targets.push(q)
      weights.push(toward[q] as number)
      toward[q] = 0
    }
    starts[p + 1] = targets.length
  }
  const graph = { size: count, starts, targets: Int32Array.from(targets), weights: Float32Array.from(weights) }
  return levelOf(graph, inner)
}
