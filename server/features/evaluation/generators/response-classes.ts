import { RESPONSE_CLASS_NAMES } from '@groundswell/contract/evaluation/runs.ts'
import { z } from 'zod'

const issue = z.string().describe('What customers want changed, in at most ten words')
const summary = z.string().describe('The problem or request behind it, in at most two sentences')
const quotes = z.array(z.string()).describe('Parts of the messages, copied letter for letter')
const tags = z.array(z.string()).describe('Short words by which it can be filtered, such as problem or request')

/** The forms that a response can have, by name. */
export const RESPONSE_CLASSES = {
  IssueName: z.object({ issue }),
  Issue: z.object({ issue, summary }),
  IssueWithQuotes: z.object({ issue, summary, quotes }),
  IssueWithQuotesAndTags: z.object({ issue, summary, quotes, tags }),
} as const satisfies Record<(typeof RESPONSE_CLASS_NAMES)[number], z.ZodType>

/** The form of a response, by its name. */
export const ResponseClass = z.enum(RESPONSE_CLASS_NAMES)
export type ResponseClass = z.infer<typeof ResponseClass>

/** Everything that is known about one response; a class keeps a part of it. */
export type FullResponse = z.infer<(typeof RESPONSE_CLASSES)['IssueWithQuotesAndTags']>

/** The part of a response that its class keeps. */
export function responseAs(name: ResponseClass, full: FullResponse): Record<string, unknown> {
  return RESPONSE_CLASSES[name].parse(full)
}
