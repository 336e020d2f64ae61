"""What the small tokenizers are trained on, and the texts that their reference ids are made of.

Sentences of our own in many scripts; texts that broke tokenizers of other projects. Read next: tokenizer_kinds.py.
"""

CORPUS = """\
The cat sat on the mat and looked at the dog, because the dog had the ball.
Lily and Tom went to the river. "It's cold," she said; we'll come again tomorrow, won't we?
They didn't know what the weather would be like, but they're happy. I'm sure he's here. We've seen it!
Attention weights are rows of numbers between zero and one; every row sums to one.
In 1984 there were 365 days, 12 months, 24 hours and 1,234,567 seconds to count: 3.14159 and 42%.
def attend(query, key, value):\n    return softmax(query @ key.T) @ value\n\n\tif x == 0 and y != 1: pass
for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; }  // a comment with  two  blanks
Der Hund läuft über die Straße, während die Katze schläft. Größe, Übung und Ärger sind schöne Wörter.
Le garçon a mangé une pomme à l'école; où est-il allé après? Ça c'est très bien, n'est-ce pas?
Şeful a declarat că nu există o soluţie militară; şi totuşi îi place să citească o carte bună.
El niño comió una manzana mañana por la mañana. ¿Dónde está la señora? ¡Qué sorpresa!
Кошка сидела на окне и смотрела на улицу, потому что шёл дождь. Привет, мир! Как дела?
Η γάτα κάθεται στο παράθυρο και κοιτάζει τον δρόμο. Ο ΔΡΟΜΟΣ ΕΙΝΑΙ ΜΕΓΑΛΟΣ, ο κόσμος μικρός.
القطة تجلس على النافذة وتنظر إلى الشارع. السلام عليكم يا صديقي.
החתול יושב על החלון ומביט אל הרחוב. שלום עולם.
猫坐在窗户上看着街道。你好世界，今天天气很好。我们去河边散步吧。
猫は窓に座って通りを見ている。こんにちは世界。カタカナとひらがなを読みます。
고양이가 창가에 앉아 거리를 바라본다. 안녕하세요 세계.
बिल्ली खिड़की पर बैठी है और सड़क देख रही है। नमस्ते दुनिया।
แมวนั่งอยู่ที่หน้าต่างและมองดูถนน สวัสดีชาวโลก
😀 😀 🙂 🎉 the party was fun 🎉 and 👩‍👩‍👧 came too 👍🏽 ❤️ 🇩🇪
naïve café, coöperate, façade, jalapeño, El Niño, Zoë, résumé, déjà vu
the the the cat cat cat dog dog river river bank bank went went said said""".split("\n")

# The first of these are the texts of the project's list of known traps.
TEXTS = [
    "the cat the cat", "你好 🙂", "😀", "a<b<c", '"><img src=x onerror=1>', "hello\nworld", "we'll  go", "a\t\tb",
    "trailing space ", "trailing spaces   ", "a\0b", "hello " * 20,
    "", " ", "   ", "\n", "\t", "\r\n\r\n", "  leading", " one leading", "a", "A.", "!?!", "a , b . c ! d ? e 'm 's n't",
    "The cat didn't cross the street, because it's tired. I'm, we've, they're, he'd, I'LL", "DON'T 'Re 'S",
    "do n't 've 're ' quoted ' . ,", "Hello, World!   How\n\n\nare  you?\n ",
    "In 1984: 3.14159, 1,234,567 and 42% of ½ ² ٣٤ ⅷ ①", "12345678901234567890", "a1b2c3", "x²y³",
    "👩‍👩‍👧 family", "👍🏽 🇩🇪 ❤️", "e\u0301 \u00e9 n\u0303 A\u030a q\u0323\u0307 \u1ec7", "naïve Straße Größe CAFÉ İstanbul ıI",
    "ΟΔΟΣ ΜΕΓΑΛΟΣ. Ο ΔΡΟΜΟΣ, οδός", "Привет, мир! ШЁЛ Ёж", "السلام عليكم", "שלום עולם", "a שלום b", "\u202eright to left\u202c",
    "猫坐在窗户上。你好，世界", "猫は窓に座っている。カタカナ ｶﾞｷﾞ", "안녕하세요", "\u1112\u1161\u11ab", "नमस्ते दुनिया", "สวัสดีชาวโลก",
    "𠀀𠀁 \U0002b740 㐀 \uf900 \U0002f800", "ﬁne ﬂow ＦＵＬＬ　ＷＩＤＴＨ ～ ㎏ ﷺ … ™", "a\u00a0b\u2003c\u3000d\u200be\u2028f\u2029g", "x\u0085y \u0085",
    "\ufeffmark", "a \ufeffb", "a\ufeff \ufeff", "\ufffd \ufffe", "\x01\x02\x07\x1b[31mred\x7f", "soft\u00adhyphen zero\u200djoin\u200cer \u2060",
    "\ue000private \U000f0000", "a_b-c–d—e‘f’“g”«h»$i+j=k^l`m|n~o", "foo@bar.com https://example.org/a?b=c&d=%20#e",
    "def f(x):\n    return x  # two\n\n\n\tif x:\n        pass", "▁ ▁▁ a▁b ##ing ## # Ġ Ċ <0x0A> <0xE4>", "$& $1 \\1 %s {0}",
    "<s>hello</s>", "hello</s>", "a<s>b", "<pad> x <unk> y", "[CLS] a [SEP] b", "the [MASK] sat", "the  [MASK]  sat.", "[mask] [Mask]",
    "the <mask> sat", "the  <mask>  sat", "<mask>", "<|endoftext|>Once", "x <|endoftext|> y", "<|begin_of_text|>a", "<|im_start|>user\nhi<|im_end|>\n",
    "<tool_call>{}</tool_call>", "<bos>a<eos>", "<extra_id_0> went <extra_id_1>", "en_XX ro_RO __en__ __ro__ eng", ">>fr<< hello", "<h1>a</h1>\n\n\n<b>",
    "sentinel <extra_id_0>\u0085<mask>\ufeff<mask> \u00a0<mask>",
    "supercalifragilisticexpialidocious antidisestablishmentarianism", "z" * 99, "z" * 100, "z" * 101, "ab" * 300, "á" * 60 + " ok",
    "unknown: ꙮ ꙮꙮ 𝔘𝔫𝔦 ☃☃ ☃ \U0001f9ff", "ꙮ", "ꙮ ꙮ", "a ꙮb", "tail ꙮ",
    "UPPER lower MiXeD naïve Straße Ωμέγα привет こんにちは 한국어 नमस्ते 😀we'll\t<b>  end ",
]

# Too long to keep its ids; the reference holds their number and a digest.
LONG = ("The cat didn't cross the 12 streets; Größe, привет, 猫は窓に 😀\n\t" * 400)[:10000] + "xyz" * 1000

PAIRS = [["the cat", "sat on the mat."], ["a", ""], ["", "b"], ["Is it cold?", "It's [MASK] <mask>"], ["猫", "😀 é"]]
