export { likeness } from './clustering/alike.ts'
export { assign, replay } from './clustering/assign.ts'
export { needsRevision, revise } from './clustering/revise.ts'
export { type Undecided, undecided } from './clustering/undecided.ts'
export { meantWords, sharedWords } from './clustering/why.ts'
export { type Advice, advise, BY_MODEL } from './corrections/advice.ts'
export { correct, lockIssue, recall } from './corrections/corrections.ts'
export { forget, isAlive, issues, removeIssue, restoreIssue } from './corrections/remove.ts'
export { BY_PERSON } from './corrections/rules.ts'
export { type Grouping, type GroupOptions, group, type Insight } from './group.ts'
export type {
  Candidate,
  Changes,
  Correction,
  Decision,
  Description,
  IssueView,
  Item,
  LineageEvent,
  Move,
  Rule,
  RuledStatement,
  Sayings,
  Statement,
} from './model.ts'
export { ENGINE_VERSION, StateVersionError } from './model.ts'
export { describe } from './naming/describe.ts'
export { deserialize, serialize } from './state/serialize.ts'
export { createState, type State } from './state/state.ts'
export { readTagPlan, readTagText, TAG_RULES, type TagCounts, type TagPlan, tagValue } from './tagging/tags.ts'
export { longSpans, prepare, type SplitItem } from './text/prepare.ts'
export type { Span } from './text/span.ts'
