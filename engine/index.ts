export { assign, REASON_AGREES, REASON_FORMER, replay } from './clustering/assign.ts'
export { attachVectors, type LateVector, statementsWithoutVector } from './clustering/attach-vectors.ts'
export { type Reclassified, reclassify } from './clustering/reclassify.ts'
export { sharedWords, similarWords } from './clustering/related-words.ts'
export { needsRevision, type Revised, revise } from './clustering/revise.ts'
export { planRevision, revisionDelay } from './clustering/revision-schedule.ts'
export { similarityScores } from './clustering/similarity/similarity-scores.ts'
export type { MemberSuggestion, MergeSuggestion, Suggestions } from './clustering/suggestions.ts'
export { type Advice, advise, foundEmerging, REASON_MODEL } from './corrections/advice.ts'
export { continueIssues } from './corrections/continued-issues.ts'
export { correct, loadConstraints, lockIssue } from './corrections/corrections.ts'
export { forget, hasStatements, issues, removeIssue, restoreIssue } from './corrections/remove.ts'
export {
  REASON_REVIEWED,
  REASON_SAME,
  REASON_STRANGER,
  type ReviewDecisions,
  type Reviewed,
  type ReviewMerge,
  type ReviewMove,
  review,
} from './corrections/review.ts'
export {
  agreedMerges,
  isReviewDue,
  MAX_NEAR,
  MAX_REVIEWED,
  meanDirection,
  nearestIssues,
  REVIEW_GROWTH,
  REVIEWED_FROM,
  reviewedCount,
} from './corrections/review-plan.ts'
export { REASON_PERSON } from './corrections/rules.ts'
export {
  type Grouping,
  type GroupOptions,
  group,
  groupedState,
  groupingOf,
  type Insight,
  type SentenceEncoder,
  textsToEncode,
} from './group.ts'
export { errorRate, type JudgeAnswer, type JudgeRef } from './judging/answers.ts'
export { estimateTokens, questionBatches, SHOWN_MEMBER_LENGTH, SHOWN_STATEMENT_LENGTH } from './judging/batches.ts'
export type { JudgedGroup } from './judging/linkage.ts'
export { type JudgeOutcome, judgeOutcome } from './judging/outcome.ts'
export { type JudgeCandidate, type JudgeQuestion, judgeQuestions } from './judging/questions.ts'
export { judgeRounds } from './judging/rounds.ts'
export { classifyKind, isSubjectless, type KindDecision, type KindStatement } from './kinds/classify.ts'
export { hasNoSubject, KINDS, type Kind } from './kinds/kind.ts'
export { isOwnAuthor, MIN_OWN_MESSAGES } from './kinds/own-author.ts'
export { type TaughtStatement, type Teaching, teach } from './kinds/teaching.ts'
export { type Tone, toneOf } from './kinds/tone.ts'
export type {
  Candidate,
  Changes,
  Constraints,
  Correction,
  Decision,
  Description,
  IssueView,
  Item,
  LineageEvent,
  Move,
  Rule,
  RuledStatement,
  Statement,
  StoredDecision,
} from './model.ts'
export { ENGINE_VERSION, FIRST_EMERGING, FIRST_SENTENCE_VERSION, isEmerging, StateVersionError } from './model.ts'
export { describe, needsRename } from './naming/describe.ts'
export { isNegation, keepsNegation } from './naming/negation.ts'
export {
  REASON_CLEARER,
  REASON_CLEARLY_OUT,
  REASON_CONVERSATION,
  REASON_GROUP,
  REASON_MEANING,
} from './state/recorder.ts'
export { deserialize, serialize } from './state/serialize.ts'
export { useSpace } from './state/space.ts'
export { createState, type State } from './state/state.ts'
export {
  parseTagPlan,
  prepareTagText,
  TAG_RULES_VERSION,
  type TagCounts,
  type TagPlan,
  tagValue,
} from './tagging/tags.ts'
export { textToEncode } from './text/encoding-text.ts'
export { languageOf } from './text/features.ts'
export type { Language } from './text/language.ts'
export { longSpans, prepare, type ReadPoint, type SplitItem } from './text/prepare.ts'
export type { Span } from './text/span.ts'
export { type KnownTheme, type KnownThemes, NO_THEMES, type PlannedTheme, type ThemePin } from './themes/theme.ts'
export { planThemes } from './themes/themes.ts'
