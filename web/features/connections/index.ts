export { useConnectorName, useKnownConnectors } from './connector-names.ts'
export { RemoteItem } from './remote-item.tsx'
export { remoteStateText } from './remote-state.ts'
export { SourceMark } from './tile-logo.tsx'
