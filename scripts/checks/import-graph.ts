import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * For each file of the project, the files that use it, and how far away they are: an import is one step; a file that only names it in a
 * string, such as a program that a test starts, is further.
 */
export type Dependents = ReadonlyMap<string, ReadonlyMap<string, number>>

const IMPORTED = 1
const NAMED = 3

const CODE = /\.(ts|tsx|mjs)$/
/** Types are the compiler's business: they cannot change what a test does. */
const TYPES_ONLY = /\b(?:import|export)\s+type\s[^'"`;]*?from\s*['"][^'"]+['"]/g
const STRINGS =
  /(\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)?['"`](?:([@\w./-]*\.[a-z]+)(?:\?[\w=&]*)?|(@groundswell\/[\w-]+))['"`]/g

/** Reads the graph of imports from the text of `files`, which are relative to `root`. */
export function readDependents(root: string, files: readonly string[]): Dependents {
  const known = new Set(files)
  const dependents = new Map<string, Map<string, number>>()
  for (const file of files) {
    if (!CODE.test(file)) continue
    for (const [target, steps] of filesUsedIn(readFileSync(path.join(root, file), 'utf8'), file, known)) {
      const there = dependents.get(target) ?? new Map<string, number>()
      dependents.set(target, there.set(file, steps))
    }
  }
  return dependents
}

/** The files of the project that the text of `file` imports or names, and how far away each is. */
export function filesUsedIn(text: string, file: string, known: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, keyword, named, bare] of text.replaceAll(TYPES_ONLY, '').matchAll(STRINGS)) {
    const target = bare ? `${bare}/index.ts` : (named ?? '')
    const relative = path.posix.join(path.posix.dirname(file), target)
    const place = [target.replace(/^@groundswell\//, ''), relative].find((one) => known.has(one))
    if (place === undefined || place === file) continue
    const steps = keyword !== undefined || target.startsWith('.') ? IMPORTED : NAMED
    found.set(place, Math.min(steps, found.get(place) ?? steps))
  }
  return found
}

/** How many steps each file is away from the nearest of `changed`, which are at 0. What does not depend on them is absent. */
export function distancesFrom(changed: readonly string[], dependents: Dependents): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]))
  const rings: string[][] = [[...changed]]
  for (let distance = 0; distance < rings.length; distance += 1) {
    for (const file of rings[distance] ?? []) {
      if (distances.get(file) !== distance) continue
      for (const [user, steps] of dependents.get(file) ?? []) {
        const there = distance + steps
        if (there >= (distances.get(user) ?? Number.POSITIVE_INFINITY)) continue
        distances.set(user, there)
        while (rings.length <= there) rings.push([])
        rings[there]?.push(user)
      }
    }
  }
  return distances
}
