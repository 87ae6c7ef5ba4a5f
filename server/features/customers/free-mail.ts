const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * Public mail domains, where anyone can get an address: the large providers by their own lists of domains, and the largest access providers. An
 * address there says nothing about an organisation. Providers of disposable addresses are missing: there are thousands, and customers do not use
 * them.
 */
export const freeMailDomains: ReadonlySet<string> = new Set(
  list(`
    gmail.com googlemail.com
    outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.com.br outlook.com.au outlook.in outlook.pt
    hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.es hotmail.it hotmail.nl hotmail.be hotmail.com.br hotmail.com.ar
    hotmail.ca hotmail.se hotmail.no hotmail.dk hotmail.co.jp
    live.com live.co.uk live.fr live.de live.nl live.it live.be live.se live.no live.dk live.ca live.cn live.com.au live.com.mx msn.com passport.com
    yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.ca yahoo.com.br yahoo.com.ar yahoo.com.mx yahoo.com.au yahoo.co.in
    yahoo.in yahoo.co.jp yahoo.co.id yahoo.com.ph yahoo.com.sg yahoo.com.tw yahoo.com.hk yahoo.com.vn yahoo.gr yahoo.pl yahoo.ro yahoo.se
    ymail.com rocketmail.com myyahoo.com
    icloud.com me.com mac.com
    aol.com aol.co.uk aol.de aol.fr aim.com
    proton.me protonmail.com protonmail.ch pm.me
    gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.co.uk gmx.fr gmx.es gmx.us mail.com email.com
    web.de freenet.de t-online.de arcor.de online.de 1und1.de posteo.de posteo.net mailbox.org
    zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm hey.com hushmail.com tuta.com tutanota.com tutanota.de tutamail.com tuta.io keemail.me
    duck.com privaterelay.appleid.com mozmail.com anonaddy.com simplelogin.com
    inbox.com inbox.lv lycos.com excite.com rediffmail.com
    yandex.com yandex.ru yandex.by yandex.kz yandex.ua ya.ru mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru lenta.ru ro.ru
    ukr.net i.ua meta.ua bigmir.net abv.bg mail.bg dir.bg centrum.cz seznam.cz email.cz post.cz atlas.cz volny.cz azet.sk zoznam.sk centrum.sk
    wp.pl o2.pl onet.pl onet.eu op.pl interia.pl interia.eu poczta.fm gazeta.pl vp.pl tlen.pl go2.pl
    freemail.hu citromail.hu indamail.hu
    orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr aliceadsl.fr club-internet.fr numericable.fr
    libero.it virgilio.it tiscali.it alice.it tin.it tim.it fastwebnet.it inwind.it iol.it
    telefonica.net terra.es ya.com sapo.pt
    ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl telenet.be skynet.be proximus.be
    bluewin.ch hispeed.ch sunrise.ch aon.at chello.at
    btinternet.com btopenworld.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net tiscali.co.uk
    telia.com comhem.se bredband.net spray.se online.no broadpark.no mail.dk stofanet.dk luukku.com suomi24.fi kolumbus.fi elisanet.fi
    comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net frontier.com juno.com netzero.net
    windstream.net roadrunner.com twc.com rr.com centurylink.net
    rogers.com sympatico.ca bell.net shaw.ca telus.net videotron.ca
    bigpond.com bigpond.net.au optusnet.com.au tpg.com.au iinet.net.au xtra.co.nz
    qq.com vip.qq.com foxmail.com 163.com vip.163.com 126.com yeah.net sina.com sina.cn sohu.com tom.com 139.com 189.cn aliyun.com
    naver.com hanmail.net daum.net nate.com kakao.com
    docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp nifty.com so-net.ne.jp
    uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com r7.com
    walla.co.il walla.com bezeqint.net netvision.net.il 012.net.il
  `),
)

/** Whether a domain, in lower case, is a public mail domain. */
export function isFreeMail(domain: string): boolean {
  return freeMailDomains.has(domain)
}
