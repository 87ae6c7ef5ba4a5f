export { type Advice, advise, BY_MODEL } from './advice.ts'
export { likeness } from './alike.ts'
export { assign, replay } from './assign.ts'
export { correct, lockIssue, recall } from './corrections.ts'
export { describe } from './describe.ts'
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
export { longSpans, prepare, type Span, type SplitItem } from './prepare.ts'
export { forget, isAlive, issues, removeIssue, restoreIssue } from './remove.ts'
export { needsRevision, revise } from './revise.ts'
export { BY_PERSON } from './rules.ts'
export { deserialize, serialize } from './serialize.ts'
export { createState, type State } from './state.ts'
export { readTagPlan, readTagText, TAG_RULES, type TagCounts, type TagPlan, tagValue } from './tags.ts'
export { type Undecided, undecided } from './undecided.ts'
export { meantWords, sharedWords } from './why.ts'
