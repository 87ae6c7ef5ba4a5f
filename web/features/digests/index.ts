export { AlertRows, HourSelect } from './alert-rows.tsx'
export { DigestSection } from './digest-section.tsx'
export { mailState, WEEKDAYS } from './digest-words.ts'
