import type { TagCases } from './tag-cases.ts'

/** Written before the rules were widened for what is meant but not named; first figures are in docs/benchmarks/tags.md. */
export const blindCases: readonly TagCases[] = [
  {
    tag: {
      name: 'Kind',
      description:
        'Problem: something does not do what it should; Wish: something that is not there yet and people want',
    },
    cases: [
      [
        'Door codes expire too early',
        ['my door code stopped at noon, checkout is at eleven but still', 'code was dead after one night of two'],
        'Problem',
      ],
      [
        'Breakfast to go for early flights',
        ['any chance of a breakfast box for those who leave at five', 'a packed breakfast would be lovely'],
        'Wish',
      ],
      [
        'The pool light blinks all night',
        ['pool light keeps blinking', 'the light over the pool blinks until morning'],
        'Problem',
      ],
      [
        'Late checkout as an option when booking',
        ['I want to book late checkout online', 'could late checkout be bookable in the app?'],
        'Wish',
      ],
      ['Staff at the front desk', ['front desk was lovely', 'such kind people at the desk'], null],
      [
        'Two rooms, one key',
        ['we were given the same room as another family', 'somebody else had our room already'],
        'Problem',
      ],
      ['The hotel is near the station', ['five minutes to the station', 'station around the corner'], null],
    ],
  },
  {
    tag: {
      name: 'Kind',
      description: 'Bug when something is broken or behaves wrongly. Idea when people suggest something new.',
    },
    cases: [
      [
        'Lesson progress jumps back to zero',
        ['my progress is back at 0 % after every lesson', 'progress resets whenever I close the tab'],
        'Bug',
      ],
      [
        'Subtitles in Portuguese',
        ['Portuguese subtitles would open this to my whole team', 'please offer subtitles in Portuguese'],
        'Idea',
      ],
      [
        'Certificate shows the wrong name',
        ['it printed my old surname', 'certificate carries the name of another student'],
        'Bug',
      ],
      [
        'Download lessons for the train',
        ['an offline mode for the train, please', 'I wish I could download them'],
        'Idea',
      ],
      [
        'Video and sound drift apart',
        ['sound is two seconds late', 'after ten minutes lips and voice no longer match'],
        'Bug',
      ],
      ['Our teacher is patient', ['so patient', 'the patience of this teacher'], null],
      [
        'Quiz accepts no correct answer',
        ['every answer is marked wrong, even the right one', 'quiz 4 will not accept any answer'],
        'Bug',
      ],
      [
        'Group discounts for schools',
        ['do you plan a school licence?', 'we would sign up all classes if there was a school plan'],
        'Idea',
      ],
      ['Course takes about six weeks', ['took me six weeks', 'six weeks at an hour a day'], null],
    ],
  },
  {
    tag: {
      name: 'Art',
      description: 'Fehler, wenn etwas kaputt ist oder falsch läuft. Wunsch, wenn jemand etwas Neues möchte.',
    },
    cases: [
      ['Die Heizung springt nicht an', ['Heizung bleibt kalt', 'seit Montag springt die Heizung nicht an'], 'Fehler'],
      [
        'Nebenkosten als Tabelle herunterladen',
        ['könnte man die Nebenkosten als Tabelle bekommen', 'eine Tabelle der Nebenkosten wäre toll'],
        'Wunsch',
      ],
      ['Der Aufzug bleibt zwischen den Etagen stehen', ['Aufzug steckt fest', 'wieder im Aufzug gefangen'], 'Fehler'],
      ['Hausmeister ist freundlich', ['sehr freundlich', 'netter Hausmeister'], null],
    ],
  },
  {
    tag: {
      name: 'Part of the gym',
      description:
        'Equipment (treadmills, weights, bikes), Classes (yoga, spinning, timetable), Membership (contract, card, fees) or Building (showers, lockers, parking)',
    },
    cases: [
      [
        'The treadmill stops at full speed',
        ['treadmill stops suddenly', 'two treadmills stop by themselves'],
        'Equipment',
      ],
      ['Yoga is always full', ['never a place in yoga', 'yoga full after one minute'], 'Classes'],
      ['Showers are cold in the morning', ['cold shower again', 'no hot water in the showers'], 'Building'],
      ['Charged after I left', ['fee taken although my contract ended', 'still paying the fee'], 'Membership'],
      ['Lockers do not close', ['my locker would not close', 'locker door bent'], 'Building'],
      ['Music is too loud', ['far too loud', 'turn the music down'], null],
      ['Weights are missing since the move', ['where are the 20 kg weights', 'weights gone'], 'Equipment'],
    ],
  },
  {
    tag: { name: 'Rain', description: 'Whatever happens when it rains: wet parcels, leaking roofs, slippery floors' },
    cases: [
      ['Parcels are wet when they arrive', ['box was soaked', 'wet parcel on the doorstep'], 'Rain'],
      ['The roof of the station leaks', ['roof leaks over platform 2', 'leaking roof again'], 'Rain'],
      ['Trains are late on Mondays', ['late again', 'Monday trains never on time'], null],
    ],
  },
  {
    tag: {
      name: 'Sort',
      description:
        'Bug: anything that is broken. Request: anything that people would like to have. Praise: anything they like.',
    },
    cases: [
      ['Cash drawer will not open', ['drawer stays shut', 'the drawer will not open after a sale'], 'Bug'],
      ['Tips by card', ['guests want to tip by card', 'is there any plan for tips by card?'], 'Request'],
      ['The new receipt design', ['receipts look great now', 'love the new receipts'], 'Praise'],
      ['Table 12 appears twice', ['table 12 is listed twice', 'two times table 12'], 'Bug'],
      ['Split a bill by seat', ['would save us time to split by seat', 'let waiters split by seat'], 'Request'],
      ['We serve lunch until three', ['lunch until three', 'kitchen closes at three'], null],
      [
        'Orders reach the kitchen late',
        ['kitchen gets orders ten minutes after we send them', 'orders show up late in the kitchen'],
        'Bug',
      ],
    ],
  },
  {
    tag: { name: 'Tipo', description: 'Error cuando algo no funciona; Petición cuando alguien pide algo nuevo' },
    cases: [
      ['La tarjeta no se puede recargar', ['no puedo recargar la tarjeta', 'la recarga da error'], 'Error'],
      [
        'Abono para estudiantes',
        ['me gustaría un abono para estudiantes', 'sería útil un abono de estudiante'],
        'Petición',
      ],
      ['El conductor fue amable', ['muy amable', 'un conductor amable'], null],
    ],
  },
]
