/**
 * One object of each kind in a workspace, by what a call names it: its number or id. `destination` and `source`: the tile of a connector that is
 * connected as one.
 */
export type ExampleObjects = {
  issue: number
  /** Another insight, which is suggested to be merged with `issue`. */
  similarIssue: number
  deletedIssue: number
  emerging: number
  dismissedEmerging: number
  theme: number
  removedTheme: number
  mention: string
  correction: string
  /** A suggestion to merge that was declined. */
  declinedMerge: string
  comment: string
  customer: string
  fileImport: string
  /** A source that was disconnected and whose feedback stayed. */
  keptFeedback: string
  destination: string
  source: string
  delivery: string
  receiver: string
  receiverDelivery: string
  view: string
  sharedLink: string
  /** An evaluation run that has ended with an answer. */
  evaluationRun: string
  apiKey: string
  invitation: string
  /** The account of a person in the workspace. */
  member: string
  session: string
  workspace: string
  embeddingSwitch: string
  /** A background job that gave up. */
  job: string
}

/** What a call is given. `query`: not encoded. `raw`: the body of a call that reads a stream. */
export type ExampleInput = {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: object
  raw?: string
}
