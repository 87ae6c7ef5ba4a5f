import { correctionExamples } from './examples/corrections.ts'
import { customerExamples } from './examples/customers.ts'
import type { Example } from './examples/example.ts'
import { feedbackExamples } from './examples/feedback.ts'
import { insightExamples } from './examples/insights.ts'

/** An example of every call that an API key may make. */
export const examples: readonly Example[] = [
  ...feedbackExamples,
  ...insightExamples,
  ...customerExamples,
  ...correctionExamples,
]
