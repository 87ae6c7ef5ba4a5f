import type { z } from 'zod'

/** A reply as one JSON object, alone or in a code fence; null for anything else and for any other form. */
export function parseReply<T>(text: string, schema: z.ZodType<T>): T | null {
  const fenced = /^\s*```(?:json)?\s*([^]*?)\s*```\s*$/.exec(text)
  try {
    const parsed = schema.safeParse(JSON.parse(fenced?.[1] ?? text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
