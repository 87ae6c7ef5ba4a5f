import {
  type CorrectionChange,
  correctInsight,
  correctPoint,
  createInsight,
  getCorrection,
  listCorrections,
  previewCorrection,
  undoCorrection,
  whyHere,
} from '../corrections.ts'
import { type Example, example } from './example.ts'
import { exportInsight, exportMention, ids, loneMention } from './shared.ts'

const { issue_number, issue_name } = exportInsight

const renamed = {
  issue_number,
  name: 'Exports break',
  mentions_before: 13,
  mentions_after: 13,
  people_before: 11,
  people_after: 11,
  becomes: 'renamed',
} satisfies CorrectionChange

const correction = {
  correction_id: ids.correction,
  issue_number,
  kind: 'rename' as const,
  state: 'applied' as const,
  problem: null,
  by: 'Ann',
  at: '2026-05-31T10:00:00.000Z',
  undone_by: null,
  undone_at: null,
  can_undo: true,
  other: null,
  mentions: 0,
  name: renamed.name,
  locked: null,
  changes: [renamed],
}

/** Calls that correct insights, and say what was corrected and why something is where it is. */
export const correctionExamples: readonly Example[] = [
  example(createInsight, {
    body: { mentions: [loneMention.id, '4310:0'] },
    reply: {
      correction_id: ids.correction,
      state: 'waiting',
      changes: [
        {
          issue_number: null,
          name: null,
          mentions_before: 0,
          mentions_after: 2,
          people_before: 0,
          people_after: 2,
          becomes: 'new',
        },
      ],
    },
  }),
  example(correctInsight, {
    params: { issue_number },
    body: { kind: 'rename', name: renamed.name },
    reply: { correction_id: ids.correction, state: 'applied', changes: [renamed] },
  }),
  example(correctPoint, {
    body: { mention: loneMention.id, point: 'Calendar lacks a dark theme' },
    reply: { correction_id: ids.correction, state: 'applied', changes: [] },
  }),
  example(previewCorrection, {
    params: { issue_number },
    body: { kind: 'reject', mentions: [exportMention.id] },
    reply: {
      changes: [{ ...renamed, name: issue_name, mentions_after: 12, people_after: 10, becomes: 'stays' }],
    },
  }),
  example(listCorrections, { params: { issue_number }, reply: { corrections: [correction] } }),
  example(getCorrection, { params: { correction_id: ids.correction }, reply: correction }),
  example(undoCorrection, {
    params: { correction_id: ids.correction },
    reply: { correction_id: ids.correction, state: 'undone' },
  }),
  example(whyHere, {
    params: { issue_number, id: exportMention.id },
    reply: {
      decided_by: 'engine',
      person: null,
      decided_at: '2026-05-31T09:31:04.000Z',
      score: 0.86,
      rule: 'the most similar insight',
      terms: ['export', 'csv', 'report'],
      meant: [],
      candidates: [{ issue_number, name: issue_name, score: 0.86, chosen: true }],
      engine_version: '7',
      model: null,
      prompt_version: null,
    },
  }),
]
