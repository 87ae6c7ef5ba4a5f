import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Description, readDescription } from './openapi.ts'

/** Why a test has compared nothing with an official description: the reason with which it is reported as skipped. */
export const NOT_COMPARED =
  'not compared: the official descriptions are not beside the project (../shared/specs/providers)'

/** The text of an official description, if someone keeps it beside the project; it is not part of it. Null: it is not there. */
export function officialText(name: string): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'shared/specs/providers', name)
    if (existsSync(file)) return readFileSync(file, 'utf8')
    if (folder === path.dirname(folder)) return null
  }
}

/** One that is JSON, parsed by `read`. */
export function officialDescription<T = Description>(
  name: string,
  read: (value: unknown) => T = readDescription as (value: unknown) => T,
): T | null {
  const text = officialText(name)
  return text === null ? null : read(JSON.parse(text))
}

type Call = Parameters<Description['judgeCall']>[0] & Parameters<Description['judgeAnswer']>[0]

/** What is wrong with calls and their answers, each problem once, and which calls the description lacks. */
export function judgeCalls(
  description: Description,
  calls: readonly Call[],
): { problems: string[]; omitted: string[] } {
  const problems = new Set<string>()
  const omitted = new Set<string>()
  for (const call of calls) {
    const asked = description.judgeCall(call)
    if (asked === null) omitted.add(`${call.method} ${call.template}`)
    for (const problem of [...(asked ?? []), ...(description.judgeAnswer(call) ?? [])]) problems.add(problem)
  }
  return { problems: [...problems], omitted: [...omitted].toSorted() }
}
