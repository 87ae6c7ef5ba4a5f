import type { KindCues } from '../signs.ts'
import { phrases } from '../words.ts'

/** What shows the kind of a statement, see `kinds/cues.ts`: words as `tokenise` gives them. */
export const KIND_CUES: KindCues = {
  questionWord: phrases(`how, what, whats, when, where, wheres, which, who, whos, whose, why, hows`),
  howTo: phrases(
    `how do i, how do we, how do you, how to, how can i, how can we, how could i, how does, how is, how are, how long, how many, how much,
     how often, how would, how should, where do i, where do we, where can i, where can we, where is, where are, where did, what is, what are,
     what does, what do i, what happens, what time, whats the, which one, is there a way, is there any way, is it possible, is there an,
     can i, can we, can you tell me, could you tell me, do i, do we, do you, does it, does this, does the, does anyone, anyone know,
     anybody know, has anyone, is this, is it, is the, are the, are there, are you, will there, will it, will i, will the, may i, am i,
     should i, id like to know, want to know, wanted to know, wondering if, wondering how, was wondering, not sure how, not sure whether,
     not sure if, dont know how, a question, question about, one question, quick question, what if, difference between`,
  ),
  status: phrases(
    `any update, any updates, any news, any word, any idea, status of, what is the status, eta, when will, when is, when are, when does,
     when do, when did`,
  ),
  ask: phrases(
    `please, pls, plz, kindly, can you, can u, could you, could u, would you, will you, can somebody, can someone, could someone,
     could somebody, may we have, can we have, can we get, could we have, could we get, can i get, can i have, could i have, could i get,
     any chance, any plans, any way to get, petition, i request, requesting, let me know`,
  ),
  helpCall: phrases(
    `help me, please help, need help, need your help, need some help, need assistance, any help, call me, contact me, speak to someone,
     talk to someone, speak to a human, talk to a human, real person, a human`,
  ),
  action: phrases(
    `refund, refunded, reimburse, reimbursed, cancel my, cancel order, cancel the, unsubscribe, delete my, close my account, rebook, rebooked,
     change my, move my, switch my, upgrade my, send me, resend, swap, exchange, redeliver, reset my, give me, get me`,
  ),
  wish: phrases(
    `would like, would love, id like, id love, wed like, wed love, would be nice, would be great, would be good, would be helpful,
     would be useful, would be cool, would be awesome, would be amazing, would be lovely, would be better, would help, it would, that would,
     would appreciate, would prefer, would pay, wish, wish list, wishlist, hope, hoping, i want, we want, want to be able, need to be able,
     i need, we need, needs, needed, should, could use, should be able, should have, ought to, suggest, suggestion, suggestions, propose,
     proposal, idea, feature request, enhancement, enhancement request, rfe, looking forward to, how about, why not, it needs, must have,
     if only, only thing missing, thing i miss, be able to, ability to, so that i, so that we, so that people`,
  ),
  build: phrases(
    `add, adding, allow, allows, let, let us, let me, support, support for, make, make it, provide, offer, option, options, option to,
     an option, ability, enable, improve, introduce, include, implement, bring back, bring, put back, more, more options, less, fewer, better,
     longer, shorter, faster, bigger, smaller, cheaper, extend, change, replace, remove, reduce, increase, allow us, give us, give users,
     use, show, display, hide, create, consider, restore, return the, integration, integrate, api, feature, mode, dark mode, setting, settings,
     configurable, customizable, automatic, automatically, refactor, migrate, bump, drop support, deprecate, upgrade to, expose, rename,
     separate, instead of`,
  ),
  lack: phrases(
    `no option, no way, no way to, there is no, theres no, there isnt, there are no, lack of, lacks, lacking, missing, misses, is missing,
     without a, doesnt support, does not support, not supported, no support, not available, unavailable, doesnt have, does not have,
     has no, have no, why no, no dark, cant we, not possible to`,
  ),
  negation: phrases(
    `not, no, never, cant, cannot, dont, doesnt, didnt, isnt, wasnt, wont, wouldnt, couldnt, arent, havent, hasnt, havnt, cnt, unable,
     neither, nor, nobody, without, aint, stopped, refuses, refused`,
  ),
  fault: phrases(
    `crash, crashes, crashed, crashing, error, errors, bug, bugs, buggy, glitch, glitches, glitchy, broken, breaks, broke, fail, fails, failed,
     failing, failure, freeze, freezes, freezing, frozen, froze, stuck, hang, hangs, hanging, wrong, incorrect, incorrectly, slow, slowly,
     lag, laggy, lags, blank, black screen, white screen, grey screen, timeout, timed out, times out, down, offline, outage, disappeared,
     disappears, disappear, gone, vanish, vanished, lost, lose, loses, losing, leak, duplicate, duplicates, twice, issue, issues, problem,
     problems, trouble, invalid, corrupt, corrupted, exception, nullpointerexception, regression, flicker, flickering, overlap, truncated,
     cut off, ignored, ignores, drains, draining, unresponsive, closes, shuts down, kicks, logs me out, logging me out, keeps logging, kicks me out, logged out, locked out, blocked,
     banned, hacked, charged, overcharged, expired, declined, rejected, denied, not working, doesnt work, does not work, didnt work, wont work,
     wont load, wont open, doesnt load, dont work, stopped working, no longer, inconsistent, typo, misleading, deadlock, segfault, panic,
     damaged, cracked, defective, faulty, leaking, torn, ripped`,
  ),
  bad: phrases(
    `bad, worst, worse, terrible, awful, horrible, horrific, poor, poorly, rude, disappointing, disappointed, disappointment, frustrating,
     frustrated, annoying, annoyed, unacceptable, ridiculous, useless, unusable, expensive, overpriced, pathetic, hate, sucks, crap, garbage,
     trash, rubbish, joke, disgusting, dirty, noisy, crowded, boring, bored, confusing, confused, complicated, difficult, hard to, uncomfortable,
     unfair, unprofessional, unhelpful, unsafe, dangerous, late, delay, delayed, delays, waiting, waited, wait, on hold, hours, too, too many,
     too much, too long, cancelled, canceled, misses the, waste, wasted, ads, adverts, censorship, censor, scam, scammed, spam, rip off,
     hidden fees, pay to win, paywall, shortage, cold, loud, overcrowded, nightmare, fiasco, chaos, mess, fake, unreliable, lied, lies`,
  ),
  change: phrases(
    `since, since the update, since the last, after the update, after update, after updating, latest update, last update, new update, new version,
     used to, anymore, any more, still, again, keeps, keep getting, every time, everytime, each time, all the time, suddenly, already, yet,
     for weeks, for days, third time, second time, instead`,
  ),
  good: phrases(
    `good, great, excellent, awesome, amazing, love, loved, loving, like, liked, best, perfect, perfectly, fantastic, brilliant, wonderful,
     lovely, nice, cool, super, superb, helpful, friendly, kind, caring, polite, professional, easy, fast, quick, quickly, efficient, smooth,
     beautiful, fun, enjoy, enjoyed, happy, pleased, satisfied, impressed, delighted, recommend, recommended, outstanding, reliable, useful,
     handy, works well, works great, works perfectly, well done, kudos, bravo, shout out, shoutout, hats off, thumbs up, favourite, favorite,
     comfortable, clean, delicious, supportive, reassuring, respectful, courteous, punctual, on time, patient, calm, knowledgeable, pleasant,
     first class, second to none, cannot fault, cant fault, no complaints, could not have been better, couldnt have been better, keep up,
     life saver, lifesaver, game changer, incredible, genius, gorgeous, stunning, flawless, flawlessly, worth, satisfactory, so good, legend,
     thank you for this, thanks for this, top notch, rocks, you rock, addictive, adore, magnificent, terrific, marvelous, fabulous`,
  ),
  noComplaint: phrases(
    `couldnt have been better, could not have been better, could not be better, couldnt be better, couldnt do better, could not do better, couldnt do any better,
     could not do any better, do any better, do better than, done any better, done better, cant fault, cannot fault, can not fault, no fault, no faults, no complaints, nothing to complain,
     nothing wrong, no need for improvement, no improvement needed, need to improve, needs no improvement, keep the same, keep it up, keep doing, keep up the good, nothing could,
     cant improve, cannot improve, nothing to improve, nothing better, no problems, no issues, never had a problem, never had an issue, never fails, never let me down, not a single,
     wouldnt change, would not change, cant go wrong, happy with, always good, as expected, not bad, at all fine`,
  ),
  couldBetter: phrases(
    `could be better, could have been better, could be improved, could improve, could do better, do better, should be better, needs improvement, need improvement, needs work,
     more work, room for improvement, not good enough, not great, not happy, not impressed, not satisfied, not helpful, not very, not good, not ok, not okay, not acceptable, not user friendly, not fair,
     not worth, no help, no one, no answer, no response, no reply, no explanation, no information, no communication, nobody, wasnt very, isnt very, could have, should have been, would have been`,
  ),
  duration: phrases(
    `0 minutes, 0 mins, 0 min, 0 hours, 0 hrs, 0 hr, 0 hour, 0 days, 0 weeks, 0 months, an hour, half an hour, hour and, 0 times, several times, multiple times, three times, minutes late, hours late,
     all day, all night, all morning, a week, for days, for weeks, for months, for hours, ages, forever, all week`,
  ),
  self: phrases(`i, im, ive, id, me, my, mine, myself, our son, my wife, my husband`),
  thanks: phrases(
    `thanks, thank you, thankyou, thank u, thx, thnx, ty, cheers, much appreciated, appreciate it, appreciated, grateful, many thanks`,
  ),
  greeting: phrases(`hi, hello, hey, dear, good morning, good afternoon, good evening, good day, greetings`),
  ownSide: phrases(
    `sorry to hear, sorry about, sorry for the, we apologize, we apologise, apologies for, our apologies, sincerely apologize, we are sorry,
     were sorry, were here to help, here to help, happy to help, glad to help, love to help, like to help, want to help, we can help, help you,
     assist you, further assist, be happy to assist, look into this, look into it, take a look, take a closer look, looking into, our team,
     our support team, our engineers, our technician, our colleagues, thanks for reaching out, thank you for reaching out, thanks for contacting,
     thank you for contacting, thank you for your feedback, thanks for your feedback, thank you for your review, thanks for letting us know,
     thank you for letting us know, thank you for your patience, thanks for your patience, thank you for your message, thank you for choosing,
     thanks for flying, let us know if, please let us know, let us know what, let us know which, reach out to us, please reach out, we will get back,
     well get back, keep you posted, we have received, weve received, has been received, has been forwarded, weve passed, passed this on,
     passed on to, pass this along, pass it along, were aware, we are aware, we understand, we appreciate, we hope, we look forward, stay tuned,
     can you tell us, could you tell us, could you let us know, can you let us know, what device, which device, which version are you, are you using,
     have you tried, did you try, try restarting, please try, we recommend, wed recommend, we suggest, your account, your order number,
     your booking reference, confirmation number, account number, kind regards, best regards, customer care, support team, is there anything else,
     anything else we can, youre welcome, you are welcome, my pleasure, welcome back, i have checked, i have forwarded, we have forwarded,
     ive credited, well be in touch, be in touch, will contact you, marked as stale, duplicate of, closing this, closing as, fixed in, merged,
     please follow the, could you provide, could you share, can you share, would you mind`,
  ),
  contact: phrases(
    `dm, dms, dm us, direct message, private message, send us a, message us, email us, mail us, write to us, call us, contact us, follow us, follow and,
     send us your, click the link, link below, visit, via this link, dm your, dm me, dm sent, dmd, shoot us`,
  ),
  we: phrases(`we, our, us, were, weve, well, wed`),
  nothing: phrases(
    `nothing, none, n a, na, nil, no comment, no comments, dont know, not sure, not applicable, no idea, nothing to, no suggestions, nope, no opinion,
     see above, same as above, as above, no answer`,
  ),
  contrast: phrases(
    `but, however, except, although, though, unfortunately, apart from, other than, only thing, only downside, only problem, only issue, yet`,
  ),
  insult: phrases(
    `idiot, idiots, clowns, clown, morons, moron, stupid, dumb, crooks, thieves, liars, losers, shame, shame on, disgrace, fuck, fuck you, f you, shit,
     suck, you suck, die, hell, never again, do not download, dont download, avoid, rot, damn, wtf`,
  ),
  lukewarm: phrases(
    `ok, okay, meh, average, so so, alright, fine, its ok, not for me, neither, whatever, it is what it is, nothing special`,
  ),
  spam: phrases(
    `free, win, giveaway, followers, follow me, subscribe, my channel, link in bio, promo, code, use my code, earn, from home, telegram, whatsapp, crypto,
     bitcoin, seo, backlink, buy now, check out my, invest, guaranteed, congratulations, click here`,
  ),
  chatter: phrases(
    `lol, haha, hahaha, lmao, first, test, testing, hello world, bump, following, same here, me too, same, ditto, as discussed, see attached, attached,
     never mind, nevermind, my bad, wrong chat, got it, will do, done, sure, yes, yep, no worries, on my way, good luck, happy birthday, good night`,
  ),
  star: phrases(`star, stars`),
}
