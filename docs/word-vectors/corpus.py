# Texts for the teacher, one a line: WordNet's definitions and examples, sentences made of patterns, Debian's descriptions of packages.
# Needs Debian's wordnet-base, and words.txt and glove.npy's words from `words.py`. Writes corpus.txt.
import re,random
random.seed(7)
# 1 wordnet glosses and examples
S=[]
freq={w:i for i,w in enumerate(open('words.txt').read().split('\n')[:-1])}
nouns,verbs,adjs={},{},{}
def lemma_rank(l): return freq.get(l,10**9)
for pos in ('noun','verb','adj','adv'):
    for line in open(f'/usr/share/wordnet/data.{pos}',errors='ignore'):
        if line.startswith('  '): continue
        head,gl=line.split(' | ',1)
        f=head.split(' ');n=int(f[3],16);lem=[f[4+2*k].replace('_',' ').lower() for k in range(n)]
        gl=gl.strip()
        parts=re.split(r';\s*',gl)
        defs=[p for p in parts if not p.startswith('"')];ex=[p.strip('"') for p in parts if p.startswith('"')]
        if min(lemma_rank(l.split(' ')[-1]) for l in lem)<15000:
            d='; '.join(defs);d=re.sub(r'\([^)]*\)','',d).strip()
            if 3<=len(d.split())<=18: S.append(d.lower())
            if random.random()<.5 and len(d.split())<=14: S.append((lem[0]+': '+d).lower())
            for e in ex:
                if 3<=len(e.split())<=20: S.append(e.lower())
# single words with senses counted: index files
def idx(pos):
    out={}
    for line in open(f'/usr/share/wordnet/index.{pos}'):
        if line.startswith('  '): continue
        f=line.split(' ');w=f[0]
        p=int(f[3]);tag=int(f[5+p]) if len(f)>5+p else 0
        out[w.replace('_',' ')]=tag
    return out
N,V,A=idx('noun'),idx('verb'),idx('adj')
def top(d,k,lim):
    ws=[w for w in d if re.fullmatch('[a-z]+',w) and freq.get(w,10**9)<lim and len(w)>2]
    return sorted(ws,key=lambda w:freq[w])[:k]
nn=[w for w in top(N,4000,9000) if N[w]>=(V.get(w,0)+A.get(w,0))]
vv=[w for w in top(V,1800,12000) if V[w]>=1]
aa=[w for w in top(A,1500,12000) if A[w]>=1 and A[w]>=N.get(w,0)]
# words of products and support, said again and again
PN='account password login email invoice payment card refund order subscription plan price discount coupon bill receipt tax export import file report dashboard chart table filter search button menu page screen app website browser phone tablet notification alert message chat inbox ticket team user member admin role permission workspace project task calendar meeting event reminder date time zone language translation currency bank transfer balance account fee limit delivery shipping package address location map photo picture video image upload download attachment document pdf spreadsheet csv column row template form field comment tag label folder archive backup sync integration api webhook token key signature certificate security device session code link url domain server database storage quota speed performance crash error bug update version release feature setting option theme dark mode font color keyboard shortcut printer sound music volume camera battery weather recipe flight hotel car ticket reservation restaurant booking insurance salary tax credit loan mortgage score history statement draft editor undo copy paste table cell formula login page signup trial onboarding tutorial documentation support agent response help contact data privacy consent audit log analytics metric survey feedback review rating customer client contract vendor supplier product item stock inventory warehouse barcode label shift schedule timesheet absence holiday vacation payroll expense'.split()
PV='export import upload download delete remove add create edit change update cancel open close save load print share send receive sync connect disconnect install reset restore search filter sort group move copy rename merge split assign invite join leave log sign verify confirm pay refund charge order ship deliver return track book schedule reschedule postpone remind notify mute block report flag review rate translate convert calculate count compare show hide view find locate lock unlock activate deactivate enable disable set configure customize adjust increase decrease limit extend renew upgrade downgrade transfer withdraw deposit exchange freeze replace lose break crash freeze fail hang stop start play pause turn switch use try test check read write scan sign approve reject submit attach embed link duplicate archive recover'.split()
PA='slow broken missing wrong empty late confusing expensive duplicate blurry small large huge long short old new recent unreadable unclear incorrect outdated unavailable blank stuck unresponsive random weird annoying useless helpful great easy hard impossible automatic manual daily weekly monthly multiple single default public private shared hidden locked expired invalid pending declined failed lost stolen damaged international foreign virtual physical'.split()
frames='''how do i {v} my {n}
how do i {v} a {n}
how can i {v} the {n} of my {m}
can i {v} {n} from {m}
can you {v} the {n} for me
could you please {v} my {n}
i can't {v} my {n}
i cannot {v} the {n} in the {m}
we can't {v} {n} with {m}
i am not able to {v} the {n}
unable to {v} {n}
why can't i {v} {n}
why is my {n} {a}
why is the {n} so {a}
why was my {n} {a}
the {n} is {a}
my {n} is {a} since yesterday
{n} is {a} after the last update
the {n} does not {v}
{n} doesn't {v} when i {w} the {m}
when i {v} the {n} the {m} is {a}
i want to {v} my {n}
i would like to {v} a {n}
i need to {v} {n} and {m}
please add {n} for {m}
please let us {v} {n}
would be great to {v} {n} in the {m}
it would be nice if we could {v} the {n}
we need a way to {v} {n}
there is no way to {v} the {n}
is there a way to {v} {n}
is it possible to {v} the {n}
what is the {n} for {m}
what's my {n}
what is the {a} {n}
where is my {n}
where can i find the {n} of the {m}
when will my {n} {v}
how long does it take to {v} a {n}
how much is the {n}
how many {n} can i {v}
do you {v} {n}
does the {n} {v} {m}
did my {n} {v}
should i {v} the {n}
i lost my {n}
i think my {n} was {a}
i still have not received my {n}
my {n} has been {a} for days
the {n} keeps showing {a} {m}
{a} {n}
{a} {n} in {m}
{n} {m}
{v} {n}
{v} the {a} {n}
{v} {n} to {m}
tell me about the {n}
tell me the {n} of {m}
show me {a} {n}
remind me to {v} the {n}
set a {n} for {m}
i hate the {a} {n}
love the {n} but the {m} is {a}
customers ask for {n} {m}
a customer wants to {v} their {n}
three clients asked how to {v} {n}
our team wants {a} {n}
our {n} got an error while trying to {v} the {m}
getting an error when i {v} {n}
error while {m} tries to {v} {n}
{n} takes forever to {v}
it takes minutes to {v} the {n}
the {n} and the {m} do not match
{n} shows the wrong {m}
every time i {v} the {n} it is {a}
the {n} should {v} automatically
no {n} arrived
i was charged for a {n} that i did not {v}
they {v} the {n} without asking
the {a} {n} page needs a {m}
asks whether the {n} can {v}
{n} for {m} please
who can {v} my {n}
which {n} do you {v}
i forgot my {n}
the new {n} makes it hard to {v} {m}
switching to a {a} {n} to {v}
i'd like {n} to be {a}
not happy with the {n}, it is too {a}
thanks for the {n}
what happened to the {n}
{n} disappeared from the {m}
cannot see {n} on {m}
{m} needs {n} before they {v}'''.split('\n')
def pick(common,special,p=.5):
    if random.random()<p: return random.choice(special)
    return common[int(len(common)*random.random()**2)]
def cap():
    f=random.choice(frames)
    return f.format(n=pick(nn,PN),m=pick(nn,PN),v=pick(vv,PV),w=pick(vv,PV),a=pick(aa,PA))
syn=set()
while len(syn)<110000: syn.add(cap())
random.shuffle(S);S=list(dict.fromkeys(S))
print(len(S),S[:5])
# debian descriptions
D=[]
import subprocess
for line in subprocess.run("apt-cache dumpavail | grep '^Description' ",shell=True,capture_output=True,text=True).stdout.split('\n'):
    t=line.split(': ',1)
    if len(t)==2 and 3<=len(t[1].split())<=16: D.append(t[1].lower())
D=list(dict.fromkeys(D));random.shuffle(D);print(len(D),D[:5])
out=S[:70000]+list(syn)+D[:15000]
random.shuffle(out)
open('corpus.txt','w').write('\n'.join(x.replace('\n',' ') for x in out)+'\n');print(len(out))
