import * as z from 'zod/mini'
import type { Call } from '../../../platform/http/calls-as.ts'
import type { Log } from '../../../platform/log/log.ts'

/** What a tool works with: the calls that its caller may make, and the clock. `inTurn` runs a tool when the caller's turn has come. */
export type ToolContext = {
  call: Call
  now: () => Date
  log: Log
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

type Input = z.ZodMiniObject

/** A tool of the MCP server. `changes`: it changes something, so that it needs a scope to write. `run` throws what a call is refused with. */
export type Tool<I extends Input = Input> = {
  name: string
  title: string
  description: string
  changes: boolean
  input: I
  run(context: ToolContext, given: z.output<I>): Promise<Record<string, unknown>>
}

/** Defines a tool, with its arguments typed by `input`. */
export function tool<I extends Input>(definition: Tool<I>): Tool {
  return definition as unknown as Tool
}

/** The same schema with a description for the model. */
export function saying<S extends z.ZodMiniType>(schema: S, description: string): S {
  return schema.check(z.describe(description)) as S
}

/** How many results a page may have. */
export function pageSize(most: number, usual: number) {
  return saying(
    z._default(z.int().check(z.gte(1), z.lte(most)), usual),
    `How many to return, at most ${most}; ${usual} by default`,
  )
}

/** The place of a page. */
export const Cursor = saying(
  z.optional(z.string().check(z.maxLength(200))),
  'next_cursor of the previous page; keep the other arguments unchanged',
)

/** Names one insight. */
export const IssueNumber = saying(z.int().check(z.gte(1), z.lte(2_147_483_647)), 'The issue_number of an insight')
