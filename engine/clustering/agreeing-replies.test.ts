import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { encodedState, groupsOf, receiveEncoded, tellings } from '@groundswell/fixtures/engine/sentences.ts'
import { describe, expect, test } from 'vitest'
import { assign, attachVectors, classifyKind, correct, isSubjectless, prepare, revise, type State } from '../index.ts'
import type { Statement } from '../model.ts'

/** Replies of the demo company to a message about the same. */
const REPLIES = [
  '+1, Okta here',
  '+1, my eyes at 11pm will thank you',
  'same on iPad',
  'Same here, all 64 of our consultants are shut out',
  'Same from Garnier Films. "It must look like us, not like software"',
  'Same @ Lawson Learning',
  'Same, Monday please like the rest of Europe',
  'Same reason here (photosensitivity). Not just cosmetics.',
  'same story from Blackwood Audit, ironically',
  'same with our forestry people',
  'another vote from Whitby Marine',
  'stopped for us as well',
]
const OTHERS = ['thanks a lot', 'haha at least you get good at VLOOKUP', 'welcome aboard', 'great job team']
const FIRST = 'The single sign-on page shows an error and nobody can work'

/** A state with an insight that `q` is in. */
function started(): State {
  const state = encodedState()
  const said = tellings(['login', 'export', 'phone'], 4)
  receiveEncoded(state, [...said, { id: 'q', text: FIRST, about: ['login'], thread: 'q' }])
  revise(state)
  return state
}

/** A reply as a server reads it: its kind is that of its words. */
function replied(text: string, given: Partial<Statement> = {}): Statement {
  const [statement] = prepare({ id: 'r', text, at: 9, thread: 'q' })
  if (!statement) throw new Error('no statement')
  return { ...statement, subjectless: isSubjectless(classifyKind({ text })), ...given }
}

const late = (text: string, about: string, subjectless: boolean) => ({
  statementId: 'r:0',
  text,
  at: 9,
  vector: meaningOf([about], 'r'),
  subjectless,
})
const issueOf = (state: State, id: string) => [...groupsOf(state)].find(([, members]) => members.includes(id))?.[0] ?? 0

describe('a reply that agrees', () => {
  test.each(REPLIES)('is in the insight of what it replies to, before and after its vector: %s', (text) => {
    const state = started()
    const home = issueOf(state, 'q')
    expect(home).toBeGreaterThan(0)
    const { decisions } = assign(state, [replied(text)])
    expect(decisions).toMatchObject([{ kind: 'joined', issueId: home }])
    expect(attachVectors(state, [late(text, 'agreement', true)]).moves).toEqual([])
    revise(state)
    expect(issueOf(state, 'r')).toBe(home)
  })

  test('in few words stays although its vector tells nothing of the subject', () => {
    const state = started()
    const text = 'also affects us, 40 seats'
    assign(state, [replied(text)])
    expect(attachVectors(state, [late(text, 'agreement', false)]).moves).toEqual([])
    expect(issueOf(state, 'r')).toBe(issueOf(state, 'q'))
  })

  test('says so', () => {
    const { decisions } = assign(started(), [replied('+1, Okta here', { subjectless: true })])
    expect(decisions).toMatchObject([{ reason: 'agrees within its conversation' }])
  })

  test('waits with what it replies to', () => {
    const state = encodedState()
    receiveEncoded(state, [{ id: 'q', text: FIRST, about: ['login'], thread: 'q' }])
    assign(state, [replied('+1, Okta here', { subjectless: true })])
    receiveEncoded(state, tellings(['login'], 3))
    revise(state)
    expect(issueOf(state, 'r')).toBe(issueOf(state, 'q'))
    expect(issueOf(state, 'r')).toBeGreaterThan(0)
  })

  test('does not go with the same words outside its conversation', () => {
    const state = started()
    assign(state, [
      { ...replied('same on iPad', { subjectless: true }), id: 'alone:0', itemId: 'alone', thread: 'alone' },
    ])
    const { decisions } = assign(state, [replied('same on iPad', { subjectless: true })])
    expect(decisions).toMatchObject([{ kind: 'joined', issueId: issueOf(state, 'q') }])
  })

  test('but states its own subject is judged by that', () => {
    const text = 'also, could you add a dark mode for the evening?'
    const state = started()
    assign(state, [replied(text)])
    attachVectors(state, [late(text, 'night', false)])
    expect(issueOf(state, 'r')).toBe(0)
  })

  test('is where people put it', () => {
    const state = started()
    const home = issueOf(state, 'q')
    expect(assign(state, [replied('+1, Okta here', { subjectless: true, taught: true })]).decisions).toMatchObject([
      { kind: 'pending', reason: 'praise or small talk' },
    ])
    const other = started()
    const text = '+1, Okta here'
    assign(other, [replied(text, { subjectless: true })])
    const elsewhere = issueOf(other, 'm1')
    expect(elsewhere).not.toBe(home)
    correct(other, { statements: [{ statementId: 'r:0', issueId: elsewhere, pin: elsewhere, bans: [], text, at: 9 }] })
    attachVectors(other, [late(text, 'login', true)])
    revise(other)
    expect(issueOf(other, 'r')).toBe(elsewhere)
  })

  test('and that people called small talk leaves when its vector arrives', () => {
    const state = started()
    const text = 'same on iPad'
    assign(state, [replied(text, { subjectless: true })])
    attachVectors(state, [{ ...late(text, 'agreement', true), taught: true }])
    expect(issueOf(state, 'r')).toBe(0)
  })
})

test.each(OTHERS)('small talk in a conversation is in no insight: %s', (text) => {
  const state = started()
  expect(assign(state, [replied(text, { subjectless: true })]).decisions[0]?.kind).not.toBe('joined')
  attachVectors(state, [late(text, 'agreement', true)])
  revise(state)
  expect(issueOf(state, 'r')).toBe(0)
})
