export { GradeRunButton } from './grade-run-button.tsx'
export { NewRunButton } from './new-run-button.tsx'
export { RunList } from './run-list.tsx'
