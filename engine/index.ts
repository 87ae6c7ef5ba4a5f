export { assign, REASON_AGREES, replay } from './clustering/assign.ts'
export { attachVectors, type LateVector, statementsWithoutVector } from './clustering/attach-vectors.ts'
export { type BorderlineMatch, borderlineMatches } from './clustering/borderline.ts'
export { type Reclassified, reclassify } from './clustering/reclassify.ts'
export { sharedWords, similarWords } from './clustering/related-words.ts'
export { needsRevision, type Revised, revise } from './clustering/revise.ts'
export { planRevision, revisionDelay } from './clustering/revision-schedule.ts'
export { similarityScores } from './clustering/similarity-scores.ts'
export type { MemberSuggestion, MergeSuggestion, Suggestions } from './clustering/suggestions.ts'
export { type Advice, advise, REASON_MODEL } from './corrections/advice.ts'
export { correct, loadConstraints, lockIssue } from './corrections/corrections.ts'
export { forget, hasStatements, issues, removeIssue, restoreIssue } from './corrections/remove.ts'
export { REASON_PERSON } from './corrections/rules.ts'
export { type Grouping, type GroupOptions, group, type Insight, type SentenceEncoder, textsToEncode } from './group.ts'
export { classifyKind, isSubjectless, type KindDecision, type KindStatement } from './kinds/classify.ts'
export { KINDS, type Kind } from './kinds/kind.ts'
export { type TaughtStatement, type Teaching, teach } from './kinds/teaching.ts'
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
export { REASON_CONVERSATION, REASON_GROUP, REASON_MEANING } from './state/recorder.ts'
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
export { longSpans, prepare, type SplitItem } from './text/prepare.ts'
export type { Span } from './text/span.ts'
