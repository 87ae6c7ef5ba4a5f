import type { CallPost } from './records.ts'

const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** The text of a call's record. */
export function callText({ answeredBy, transcription, location }: CallPost, at: number): string {
  return [
    answeredBy === null ? 'Voicemail from: +49 30 901820' : 'Call from: +49 30 901820',
    'Call to: +49 89 2180',
    `Time of call: ${time(at)}`,
    ...(answeredBy === null ? [] : ['Answered by: Agent Ash']),
    'Length of phone call: 1 minute, 12 seconds',
    `Location: ${location}`,
    'Listen to the recording: https://tallybrook.zendesk.com/api/v2/channels/voice/calls/CA1/recording',
    ...(transcription ? [`Transcription: ${transcription}`] : []),
  ].join('\n')
}

/** What only the record of a call has. */
export const callView = ({ answeredBy, transcription, location }: CallPost, at: number): Record<string, unknown> => ({
  type: 'VoiceComment',
  data: {
    from: '+4930901820',
    to: '+49892180',
    recording_url: 'https://tallybrook.zendesk.com/api/v2/channels/voice/calls/CA1/recording',
    started_at: time(at),
    call_duration: 72,
    answered_by_id: answeredBy,
    transcription_text: transcription ?? null,
    location,
  },
  via: { channel: 'voice', source: { from: {}, to: {}, rel: answeredBy === null ? 'voicemail' : 'inbound' } },
})
