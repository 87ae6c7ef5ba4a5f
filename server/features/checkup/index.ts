export { checkDatabase, checkFolder, checkSettings, type Finding } from './checks.ts'
