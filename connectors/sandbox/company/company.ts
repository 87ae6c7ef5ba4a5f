import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

const CompanyMessage = z.object({
  id: z.string().check(z.minLength(1)),
  kind: z.enum(['message', 'ticket']),
  channel: z.nullable(z.string()),
  thread: z.nullable(z.string()),
  author: z.string().check(z.minLength(1)),
  company: z.string().check(z.minLength(1)),
  at: z.int().check(z.nonnegative()),
  text: z.string().check(z.minLength(1)),
  label: z.nullable(z.string()),
  also: z._default(z.array(z.string()), []),
  lang: z.enum(['en', 'de']),
})

/** One line of `feedback.jsonl`. `at` counts minutes from the start of the first week; `label` is null for chit-chat. */
export type CompanyMessage = z.infer<typeof CompanyMessage>

const TrickleMessage = z.omit(CompanyMessage, { at: true })

/** One line of `trickle.jsonl`: a company message that has no time yet, because the demo sends it live. */
export type TrickleMessage = z.infer<typeof TrickleMessage>

const CompanyIssue = z.object({
  label: z.string().check(z.minLength(1)),
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.minLength(1)),
  spikes: z.optional(z.literal(true)),
})

/** What a good product manager would call one label, and the problem behind it. */
export type CompanyIssue = z.infer<typeof CompanyIssue>

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

function readLines<T>(name: string, parse: (value: unknown) => T): T[] {
  const lines = readText(name).trimEnd().split('\n')
  return lines.map((line, index) => {
    try {
      return parse(JSON.parse(line))
    } catch (cause) {
      throw new Error(`${name} line ${index + 1} is not a valid message`, { cause })
    }
  })
}

/** The ten weeks of feedback, oldest first. Throws with the line number when a line does not fit the schema. */
export function loadCompany(): CompanyMessage[] {
  return readLines('feedback.jsonl', (value) => z.parse(CompanyMessage, value))
}

/** The later messages in the order the demo sends them; a `thread` names a message of the ten weeks or of an earlier line. */
export function loadTrickle(): TrickleMessage[] {
  return readLines('trickle.jsonl', (value) => z.parse(TrickleMessage, value))
}

/** Every label that at least two of the ten weeks' messages carry. */
export function loadIssues(): CompanyIssue[] {
  return z.parse(z.array(CompanyIssue), JSON.parse(readText('issues.json')))
}
