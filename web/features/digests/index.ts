export { AlertRows } from './alert-rows.tsx'
export { DigestSection } from './digest-section.tsx'
export { mailState, previewedKind } from './digest-words.ts'
export { FrequencySelect, HourSelect, WeekdaySelect } from './schedule-selects.tsx'
