export { useHasExtras, usePublicConfig } from './public-config.ts'
