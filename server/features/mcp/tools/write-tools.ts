import {
  type CorrectionChange,
  correctInsight,
  createInsight,
  getCorrection,
  undoCorrection,
} from '@groundswell/contract/corrections.ts'
import { MentionId } from '@groundswell/contract/insights.ts'
import * as z from 'zod/mini'
import { showChange } from './shown.ts'
import { IssueNumber, saying, type Tool, tool } from './tool.ts'

const Mentions = saying(
  z.array(MentionId).check(z.minLength(1), z.maxLength(500)),
  'mention_ids, as search_feedback and read_insight return them',
)

const CorrectionId = saying(z.uuid(), 'The correction_id that a tool returned')

const WAITING = 'The state "waiting" means that it is applied within seconds; get_correction tells when.'

const createTool = tool({
  name: 'create_insight',
  title: 'Create an insight',
  description: `Creates an insight from mentions that are in none, from at least two messages. ${WAITING}`,
  changes: true,
  input: z.object({ mentions: Mentions }),
  run: async ({ call }, { mentions }) => taken(await call(createInsight, { body: { mentions } })),
})

const renameTool = tool({
  name: 'rename_insight',
  title: 'Rename an insight',
  description: 'Renames an insight; null restores the automatic name.',
  changes: true,
  input: z.object({
    issue_number: IssueNumber,
    name: saying(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))), 'The new name, or null'),
  }),
  run: async ({ call }, { issue_number, name }) =>
    taken(await call(correctInsight, { params: { issue_number }, body: { kind: 'rename', name } })),
})

const mergeTool = tool({
  name: 'merge_insights',
  title: 'Merge two insights',
  description: `Moves all mentions of one insight into another, which stays. ${WAITING}`,
  changes: true,
  input: z.object({
    issue_number: IssueNumber,
    into: saying(IssueNumber, 'The issue_number of the insight that stays'),
  }),
  run: async ({ call }, { issue_number, into }) =>
    taken(await call(correctInsight, { params: { issue_number }, body: { kind: 'merge', into } })),
})

const moveTool = tool({
  name: 'move_mentions',
  title: 'Move mentions',
  description: `Moves mentions of one insight to another, or out of every insight. ${WAITING}`,
  changes: true,
  input: z.object({
    issue_number: saying(IssueNumber, 'The insight they are in'),
    mentions: Mentions,
    to: saying(z.nullable(IssueNumber), 'The issue_number of the other insight; null: to none'),
  }),
  run: async ({ call }, { issue_number, mentions, to }) =>
    taken(await call(correctInsight, { params: { issue_number }, body: { kind: 'move', mentions, to } })),
})

const rejectTool = tool({
  name: 'reject_mentions',
  title: 'Not this',
  description: `Marks mentions as not belonging to an insight; they do not return to it. ${WAITING}`,
  changes: true,
  input: z.object({ issue_number: IssueNumber, mentions: Mentions }),
  run: async ({ call }, { issue_number, mentions }) =>
    taken(await call(correctInsight, { params: { issue_number }, body: { kind: 'reject', mentions } })),
})

const undoTool = tool({
  name: 'undo_correction',
  title: 'Undo a correction',
  description: `Undoes what one of these tools did; later changes by others stay. ${WAITING}`,
  changes: true,
  input: z.object({ correction_id: CorrectionId }),
  run: ({ call }, { correction_id }) => call(undoCorrection, { params: { correction_id } }),
})

const correctionTool = tool({
  name: 'get_correction',
  title: 'Look up a correction',
  description: 'Whether a correction was applied, and what it changed. Needs the scope read.',
  changes: false,
  input: z.object({ correction_id: CorrectionId }),
  async run({ call }, { correction_id }) {
    const { changes, name, by, ...correction } = await call(getCorrection, { params: { correction_id } })
    return { ...correction, untrusted: { name, by }, changes: changes.map(showChange) }
  },
})

/** The tools that make and correct insights. All that change something need the scope `insights:write`. */
export const writeTools: readonly Tool[] = [
  createTool,
  renameTool,
  mergeTool,
  moveTool,
  rejectTool,
  undoTool,
  correctionTool,
]

function taken<T extends { changes: CorrectionChange[] }>({ changes, ...correction }: T): Record<string, unknown> {
  return { ...correction, changes: changes.map(showChange) }
}
