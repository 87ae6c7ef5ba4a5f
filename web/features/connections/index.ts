export { useConnectorName, useKnownConnectors } from './connector-names.ts'
export { SourceMark } from './tile-logo.tsx'
