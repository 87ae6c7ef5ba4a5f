/** The version of each task's prompt. Here, so that what counts the answers to one loads no task. */
export const PROMPT_VERSIONS = {
  readings: 'read-messages-2',
  reviews: 'review-insights-3',
  names: 'describe-insight-1',
  splits: 'split-message-1',
  joins: 'judge-candidates-1',
} as const
