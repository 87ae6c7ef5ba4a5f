import { createHash } from 'node:crypto'
import { z } from 'zod'

const KINDS = ['merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'rename', 'point'] as const
const MAX_MESSAGES = 200

const Id = z.string().min(1).max(100)

/**
 * What a person decided about some messages, as a question to a generator. `kind`: the correction that it comes from. `messages`: all that the generator
 * gets, `at` in milliseconds since 1970. `about`: those that were corrected. `with`: those that they belong with; `apart`: those that they do not belong with.
 * `name`: of a rename, what a person called the insight of these messages; of a point, what a person read in the message.
 */
export const Case = z
  .strictObject({
    id: Id,
    kind: z.enum(KINDS),
    messages: z
      .array(
        z.strictObject({
          id: Id,
          text: z.string().min(1).max(20_000),
          author: z.string().max(200).nullable().default(null),
          at: z.int().min(0).max(8_640_000_000_000_000),
        }),
      )
      .min(1)
      .max(MAX_MESSAGES),
    about: z.array(Id).min(1).max(MAX_MESSAGES),
    with: z.array(Id).max(MAX_MESSAGES).default([]),
    apart: z.array(Id).max(MAX_MESSAGES).default([]),
    name: z.string().trim().min(1).max(200).nullable().default(null),
  })
  .superRefine((one, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const ids = new Set(one.messages.map(({ id }) => id))
    if (ids.size < one.messages.length) refuse('messages', 'two messages have the same id')
    for (const part of ['about', 'with', 'apart'] as const)
      if (one[part].some((id) => !ids.has(id))) refuse(part, 'names a message that is not in the case')
    const isNamed = one.kind === 'rename' || one.kind === 'point'
    if (isNamed && one.name === null) refuse('name', `a ${one.kind} needs one`)
    if (!isNamed && one.with.length + one.apart.length === 0) refuse('with', `a ${one.kind} needs with or apart`)
  })
export type Case = z.infer<typeof Case>

/** A file that holds no cases; the message names the line. */
export class BrokenCases extends Error {
  override name = 'BrokenCases'
}

/** The cases of a JSONL file. Throws `BrokenCases`. */
export function parseCases(content: string): Case[] {
  const ids = new Set<string>()
  return content.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return []
    const one = parseLine(line, at + 1)
    if (ids.has(one.id)) throw new BrokenCases(`Line ${at + 1}: an earlier case has the id ${one.id}.`)
    ids.add(one.id)
    return [one]
  })
}

function parseLine(line: string, number: number): Case {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new BrokenCases(`Line ${number} is not JSON.`)
  }
  const parsed = Case.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BrokenCases(`Line ${number}: ${issue?.path.join('.') || 'the case'}: ${issue?.message}.`)
}

/** Cases as the lines of a file. */
export function writeCases(cases: readonly Case[]): string {
  return cases.map((one) => `${JSON.stringify(one)}\n`).join('')
}

/** Differs where anything of a case does. */
export function contentOf(one: Case): string {
  return createHash('sha256').update(JSON.stringify(one)).digest('hex').slice(0, 16)
}
