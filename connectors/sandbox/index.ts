export { decide } from '../kit/worlds/sign-in.ts'
export { startBoard } from './board/board.ts'
export {
  type CompanyIssue,
  type CompanyMessage,
  loadCompany,
  loadIssues,
  loadTrickle,
  type TrickleMessage,
} from './company/company.ts'
export { type DemoProviders, startDemoProviders } from './demo.ts'
export type { DemoProvider } from './demo-provider.ts'
export { type OpenIdFault, type OpenIdSandbox, startOpenId } from './openid/openid.ts'
export { pinboardConnector, replaceConnector } from './pinboard/connector.ts'
export { type Pinboard, startPinboard } from './pinboard/pinboard.ts'
export type { Received } from './receiver/received.ts'
export { type Fault, type Receiver, startReceiver } from './receiver/receiver.ts'
export { type SlackOptions, type SlackSandbox, startSlack } from './slack/slack.ts'
