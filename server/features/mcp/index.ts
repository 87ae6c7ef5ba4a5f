export { mcpMount } from './mount.ts'
