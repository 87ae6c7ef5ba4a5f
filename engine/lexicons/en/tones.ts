import type { Tones } from '../signs.ts'
import { phrases } from '../words.ts'

/** How people speak well or ill of something, see `kinds/tone.ts`. */
export const TONES: Tones = {
  praise: phrases(
    `excellent, awesome, amazing, fantastic, perfect, perfectly, brilliant, wonderful, superb, outstanding, flawless, flawlessly, painless, painlessly,
     effortless, effortlessly, delightful, terrific, fabulous, magnificent, marvelous, great, best, lovely, love, loved, loving, adore, impressed, delighted,
     helpful, friendly, polite, courteous, first class, top notch, second to none, hassle free, on time, works well, work well, working well, worked well,
     works fine, works like a charm, works smoothly, works beautifully, worked fine, well done, well made, well designed, kudos, thumbs up, hats off, spot on,
     easy to, simple to, a breeze, a pleasure, a joy, no brainer, game changer, life saver, lifesaver, recommend, smoothest, easiest, fastest,
     arrives quickly, arrived quickly, came quickly, responds quickly, responded quickly, answers quickly, answered quickly, replied quickly,
     resolved quickly, solved quickly, fixed quickly, loads quickly, works quickly, delivered quickly, refunded quickly, very quickly, so quickly,
     answered within, answers within, replied within, replies within, responds within, responded within, arrived within, arrives within, refunded within,
     solved within, resolved within, fixed within, delivered within`,
  ),
  plain: phrases(
    `easy, simple, fast, quick, smooth, smoothly, clean, clear, fair, good, nice, cool, reliable, stable, useful, handy, intuitive, straightforward,
     convenient, comfortable, efficient, pleasant, responsive, accurate, affordable, seamless, beautiful, fun, happy, satisfied, pleased, punctual, prompt`,
  ),
  frame: phrases(
    `is, are, was, were, been, so, very, really, super, extremely, incredibly, always, pretty, quite, feels, felt, looks, runs, went, goes, seems, stays, got,
     found, made, makes, and, its, wow, such a`,
  ),
  against: phrases(
    `takes weeks, take weeks, took weeks, takes days, take days, took days, takes hours, take hours, took hours, takes months, took months, takes ages, took ages,
     takes forever, take forever, took forever, taking forever, so long, weeks later, a pain, painful, hopeless, outdated, inaccurate, unclear, unreliable,
     broke, breaking, break, hard, would, wouldve, itd, one thing, next time, half the time, go figure, sigh, must be, has to be, have to be, supposed to, harder, slower, clumsy, clunky, tedious, lousy, struggle, struggling, impossible, limited, unstable, doubled`,
  ),
}
