import type { TagCases } from './tag-cases.ts'

/** Written after the rules stood, by the same hand; what came out at first is in docs/benchmarks/tags.md. */
export const freshCases: readonly TagCases[] = [
  {
    tag: {
      name: 'Topic',
      description:
        'Choose one: Coverage (no signal, dead zones), Contract (cancellation, renewal, notice period), Roaming (abroad, foreign networks), Hardware (SIM card, router, handset).',
    },
    cases: [
      ['No signal in the basement', ['no signal at all', 'basement has no signal since May'], 'Coverage'],
      ['The router restarts every night', ['router restarts at 2 am', 'my router reboots'], 'Hardware'],
      [
        'Charged abroad although roaming was off',
        ['roaming was off and I paid abroad', 'abroad for 2 days, 40 euros'],
        'Roaming',
      ],
      [
        'My cancellation was never confirmed',
        ['cancellation not confirmed', 'no answer to my cancellation'],
        'Contract',
      ],
      ['The hotline plays the same song', ['that song again', 'please change the music'], null],
      ['SIM card arrives too late', ['SIM card took 3 weeks', 'still no SIM card'], 'Hardware'],
      ['Shop opening hours are wrong', ['shop was closed', 'opening hours online are wrong'], null],
    ],
  },
  {
    tag: { name: 'Leave', description: 'Insights about holidays, sick leave or parental leave of employees' },
    cases: [
      [
        'Sick leave cannot be entered for half days',
        ['half a day of sick leave', 'sick leave only by whole days'],
        'Leave',
      ],
      [
        'Public holidays are missing for Bavaria',
        ['holidays of Bavaria are missing', 'Corpus Christi is no holiday here'],
        'Leave',
      ],
      ['Payslips arrive twice', ['two payslips in March', 'payslip twice'], null],
      ['Cannot leave the chat room', ['I cannot leave the room', 'leaving the chat does nothing'], null],
    ],
  },
  {
    tag: {
      name: 'Impact',
      description:
        '"Safety" if someone could be hurt by brakes or batteries, "Money" if a ride or a fine was charged wrongly, "Comfort" if it is only about seats or bells',
    },
    cases: [
      ['Brakes fail in the rain', ['brakes did not grip', 'the brake fails when wet'], 'Safety'],
      ['Fined for parking in an allowed zone', ['fine although the zone is allowed', 'wrong parking fine'], 'Money'],
      ['The bell is too quiet', ['nobody hears the bell', 'bell too quiet'], 'Comfort'],
      ['Scooters are hard to find at night', ['no scooter at night', 'cannot find one after 10 pm'], null],
      ['Battery smokes while charging', ['battery smoked', 'smoke from the battery'], 'Safety'],
    ],
  },
  {
    tag: {
      name: 'Shelf',
      description: 'Which shelf of the library is meant: Novels, Comics, Magazines or Audio books',
    },
    cases: [
      ['Comics are sorted by colour', ['why are comics sorted by colour', 'the comics shelf is a mess'], 'Comics'],
      ['Audio book skips on disc two', ['the audio book skips', 'audio books are scratched'], 'Audio books'],
      ['Old magazines are thrown away too soon', ['magazine gone after a month', 'keep magazines longer'], 'Magazines'],
      ['The coffee machine is broken', ['no coffee', 'machine broken again'], null],
      ['Book returns are not registered', ['returned the book, still on my list', 'return not registered'], null],
    ],
  },
  {
    tag: {
      name: 'Dark mode',
      description: 'People who ask for a dark theme, or who find the screen too bright at night',
    },
    cases: [
      ['Please add a dark theme', ['dark theme please', 'a dark theme for night shifts'], 'Dark mode'],
      ['Dark coffee stains on the delivered desk', ['dark stain on the desk', 'desk had stains'], null],
      ['The theme song is too loud', ['theme song too loud', 'turn it down'], null],
    ],
  },
  {
    tag: {
      name: 'Problème',
      description: 'Un de Livraison, Facture ou Compte, selon ce dont parle le client dans son message',
    },
    cases: [
      ['La livraison a trois jours de retard', ['livraison en retard', 'ma livraison n’est pas là'], 'Livraison'],
      [
        'Impossible de télécharger ma facture',
        ['facture introuvable', 'je ne peux pas télécharger la facture'],
        'Facture',
      ],
      ['Le site est trop lent', ['très lent', 'le site rame'], null],
    ],
  },
  {
    tag: { name: 'Type', description: 'Is this a Bug, a Question or an Idea? Decide by what the person writes to us.' },
    cases: [
      ['The calculator crashes on zero', ['crashes when I enter 0', 'app crashed'], 'Bug'],
      [
        'Where can I find my tax certificate',
        ['where can I find the certificate?', 'where do I get my certificate'],
        'Question',
      ],
      ['It would be great to sort by rating', ['it would be great to sort by rating', 'please add sorting'], 'Idea'],
      ['Thanks to the night nurse', ['thank you so much', 'thanks to all'], null],
    ],
  },
]
