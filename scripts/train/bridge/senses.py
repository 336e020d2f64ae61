"""Sentences whose meaning decides a word: what "it" is, and which bank or bat.

A context is a frame with its cue; one in six is never trained on, and every cue and frame is trained in others.
"The bank was crowded." has no cue: both translations are trained, half and half. Next: corpus.py.
"""

import zlib

import words
from clauses import Pair, agreed, be, english_not, tail, verb_phrase
from lexicon import ADJECTIVE, NOUN, VERB, Noun
from phrases import Maker, NounPhrase, it_for, noun_phrase, somebody
from sentences import is_adjective
from spelling import Word
from spelling import words as plain

HELD_OUT_CONTEXTS = 6


def is_held_out_context(context: str) -> bool:
    """Contexts that differ only in an adjective or in who acts are one context."""
    return zlib.crc32(context.encode()) % HELD_OUT_CONTEXTS == 0


# Because: each state is said of one of the two things alone.

ANIMAL_STATES = "tired hungry scared weak sick slow lazy thirsty".split()
PERSON_STATES = "tired hungry scared weak sick slow lazy shy sad".split()
WAY_STATES = "wide long dangerous dark narrow muddy crowded noisy".split()
GOOD_FOOD, EATER_STATES = "delicious fresh sweet".split(), "hungry".split()
GOOD_DRINK, DRINKER_STATES = "delicious fresh cold".split(), "thirsty".split()
GOODS_STATES = "heavy expensive beautiful broken dirty useful".split()
OWNER_STATES = "poor tired sick rich sad".split()


def because(maker: Maker) -> Pair:
    """The animal did not cross the street because it was too tired, or too wide."""
    frame = maker.rng.choices([_not_crossed, _does_not_fit, _ate_it, _sold_it], [50, 18, 16, 16])[0]
    return frame(maker)


def _reason(maker: Maker, one: NounPhrase, states: list[str], degree: str, past: bool) -> Pair:
    tag = maker.tag("p")
    it, il = it_for(one)
    maker.links.append(("pronoun-antecedent", tag, one.tag))
    adjective = maker.adjective(one.noun, states)
    told = is_adjective(maker, one, adjective, past)
    english_be, french_be = told[0][0], told[1][0]
    degrees = {"too": "trop", "very": "très", "so": "si", "": ""}
    english = plain("because") + [Word(it, tag), english_be, *plain(degree), told[0][-1]]
    french = plain("parce que") + [Word(il, tag), french_be, *plain(degrees[degree]), told[1][-1]]
    return english, french


def _not_crossed(maker: Maker) -> Pair:
    kind = maker.rng.choice(["animal", "animal", "human"])
    who = noun_phrase(maker, (kind,), maker.rng.choice(["the", "the", "the", "my", "this"]),
                      maker.chance(0.12), maker.rng.choice([0, 0, 1]))
    way = noun_phrase(maker, ("way",), "the", False, maker.rng.choice([0, 0, 1]))
    verb = VERB[maker.rng.choice(["cross", "cross", "cross", "follow", "leave"])]
    told = verb_phrase(maker, who, verb, maker.rng.choice(["past", "past", "present"]), negated=True)
    past = told[0][0].text.startswith("did")
    if maker.chance(0.5):
        reason = _reason(maker, who, PERSON_STATES if kind == "human" else ANIMAL_STATES, "too", past)
    else:
        reason = _reason(maker, way, WAY_STATES, "too", past)
    return who.english() + told[0] + way.english() + reason[0], who.french() + told[1] + way.french() + reason[1]


def _does_not_fit(maker: Maker) -> Pair:
    thing = noun_phrase(maker, ("thing", "clothes", "text"), maker.rng.choice(["the", "my", "this"]), False,
                        maker.rng.choice([0, 0, 1]))
    box = noun_phrase(maker, ("container",), maker.rng.choice(["the", "the", "this"]), False,
                      maker.rng.choice([0, 0, 1]))
    past = maker.chance(0.5)
    tag = maker.tag("v")
    maker.links.append(("verb-subject", tag, thing.tag))
    if past:
        english, french = english_not("did", maker), [Word("ne"), Word("est"), Word("pas")]
        french += [Word("entrée" if thing.gender == "f" else "entré", tag)]
    else:
        english, french = english_not("does", maker), [Word("ne"), Word("entre", tag), Word("pas")]
    english += [Word("fit", tag), Word("in")]
    if maker.chance(0.5):
        states = [each for each in ("big", "long") if each in words.FITTING[thing.noun.kind]]
        reason = _reason(maker, thing, states, "too", past)
    else:
        reason = _reason(maker, box, ["small", "full"], "too", past)
    return (
        thing.english() + english + box.english() + reason[0],
        thing.french() + french + plain("dans") + box.french() + reason[1],
    )


def _ate_it(maker: Maker) -> Pair:
    who = noun_phrase(maker, ("animal", "human"), "the", False, maker.rng.choice([0, 0, 1]))
    drinks = maker.chance(0.35)
    food = noun_phrase(maker, ("drink",) if drinks else ("food", "meal"), "the", False, maker.rng.choice([0, 0, 1]))
    told = verb_phrase(maker, who, VERB["drink" if drinks else "eat"], "past", negated=False)
    degree = maker.rng.choice(["", "very", "so"])
    if maker.chance(0.5):
        reason = _reason(maker, who, DRINKER_STATES if drinks else EATER_STATES, degree, True)
    else:
        reason = _reason(maker, food, GOOD_DRINK if drinks else GOOD_FOOD, degree, True)
    return who.english() + told[0] + food.english() + reason[0], who.french() + told[1] + food.french() + reason[1]


def _sold_it(maker: Maker) -> Pair:
    who = noun_phrase(maker, ("human",), "the", False, maker.rng.choice([0, 0, 1]))
    goods = noun_phrase(maker, ("thing", "clothes", "furniture", "vehicle"), "the", False, maker.rng.choice([0, 0, 1]))
    verb = VERB[maker.rng.choice(["sell", "buy"])]
    told = verb_phrase(maker, who, verb, "past", negated=maker.chance(0.3))
    degree = maker.rng.choice(["too", "very", "so"])
    if maker.chance(0.5):
        reason = _reason(maker, who, OWNER_STATES, degree, True)
    else:
        states = [each for each in GOODS_STATES if each in words.FITTING[goods.noun.kind]]
        reason = _reason(maker, goods, states, degree, True)
    return who.english() + told[0] + goods.english() + reason[0], who.french() + told[1] + goods.french() + reason[1]


# Bank: rive beside water, banque where money is.

RIVE = Noun("bank", "banks", "rive", "rives", "f", "bank")
BANQUE = Noun("bank", "banks", "banque", "banques", "f", "bank")
BANK_ADJECTIVES = "old small big beautiful new quiet dirty".split()
# Said of both banks, so that they decide nothing.
NEUTRAL = "crowded quiet empty beautiful clean dirty old".split()
WATERS = {"river": "la rivière", "lake": "le lac", "canal": "le canal", "stream": "le ruisseau", "water": "la eau",
          "pond": "le étang"}
COVERS = {
    "grass": "de herbe", "flowers": "de fleurs", "mud": "de boue", "stones": "de pierres", "leaves": "de feuilles",
    "sand": "de sable",
}
SWIMMERS = "duck swan frog turtle".split()
BUSINESS = {
    "the loan": "le prêt", "the money": "le argent", "the account": "le compte", "the check": "le chèque",
    "the card": "la carte", "the coins": "les pièces",
}
BANK_DEEDS = {
    "approved": ("approuvé", ["the loan", "the account", "the card", "the check"]),
    "refused": ("refusé", ["the loan", "the money", "the check", "the card"]),
    "lost": ("perdu", ["the money", "the check", "the card", "the coins"]),
    "kept": ("gardé", ["the money", "the card", "the coins", "the check"]),
    "closed": ("fermé", ["the account"]),
}
ERRANDS = {
    "pay": ("payer", ["the loan"]), "take": ("prendre", ["the money", "the card", "the check", "the coins"]),
    "open": ("ouvrir", ["the account"]), "ask for": ("demander", ["the loan", "the money", "the card", "the check"]),
    "close": ("fermer", ["the account"]),
}
TOWN = "station market hotel museum school hospital theater church castle airport".split()
STAFF = {"cashier": "le caissier", "customer": "le client", "manager": "le directeur", "guard": "le gardien"}


def _bank(maker: Maker, noun: Noun) -> NounPhrase:
    adjective = [maker.rng.choice(BANK_ADJECTIVES)] if maker.chance(0.3) else []
    determiner = maker.rng.choice(["the", "the", "the", "the", "this"])
    return NounPhrase(noun, False, determiner, [ADJECTIVE[each] for each in adjective], maker.tag("bank"))


def _neutral(maker: Maker, bank: NounPhrase) -> Pair:
    fitting = [each for each in NEUTRAL if ADJECTIVE[each] not in bank.adjectives]
    return is_adjective(maker, bank, ADJECTIVE[maker.rng.choice(fitting)], maker.chance(0.75))


def _cue(maker: Maker, context: str, english: str, french: str) -> Pair:
    maker.context = context
    tag = maker.tag("cue")
    maker.links.append(("bank-cue", "bank", tag))
    *english_start, english_cue = plain(english)
    *french_start, french_cue = plain(french)
    return [*english_start, Word(english_cue.text, tag)], [*french_start, Word(french_cue.text, tag)]


def bank_by_water(maker: Maker) -> Pair:
    """The bank was crowded near the river."""
    bank = _bank(maker, RIVE)
    frame = maker.rng.choice(["near", "near", "of", "covered", "sat", "swimmer", "fished", "boat"])
    water = maker.rng.choice(list(WATERS))
    if frame == "near":
        told = _neutral(maker, bank)
        preposition, fr = maker.rng.choice([("near", "près de"), ("next to", "à côté de"), ("along", "le long de")])
        cue = _cue(maker, f"{preposition} {water}", f"{preposition} the {water}", f"{fr} {WATERS[water]}")
        return bank.english() + told[0] + cue[0], bank.french() + told[1] + cue[1]
    if frame == "of":
        told = _neutral(maker, bank)
        cue = _cue(maker, f"of {water}", f"of the {water}", f"de {WATERS[water]}")
        return bank.english() + cue[0] + told[0], bank.french() + cue[1] + told[1]
    if frame == "covered":
        cover = maker.rng.choice(list(COVERS))
        past = maker.chance(0.6)
        cue = _cue(maker, f"covered {past} {cover}", f"{'was' if past else 'is'} covered with {cover}",
                   f"{'était' if past else 'est'} couverte {COVERS[cover]}")
        return bank.english() + cue[0], bank.french() + cue[1]
    if frame == "swimmer":
        swimmer = NOUN[maker.rng.choice(SWIMMERS)]
        who = noun_phrase(maker, (), "the", noun=swimmer, adjectives=maker.rng.choice([0, 0, 1]))
        base = maker.rng.choice(["sleep", "sing", "jump", "walk"])
        told = verb_phrase(maker, who, VERB[base], maker.rng.choice(["past", "progressive"]), False)
        maker.context = f"swimmer {base} {who.noun.english}"
        maker.links.append(("bank-cue", "bank", who.tag))
        return (
            who.english() + told[0] + plain("on") + bank.english(),
            who.french() + told[1] + plain("sur") + bank.french(),
        )
    if frame == "boat":
        boat = maker.rng.choice(["boat", "ship"])
        verb, french = maker.rng.choice([("reached", "a atteint"), ("left", "a quitté"), ("touched", "a touché")])
        ship = noun_phrase(maker, (), "the", False, noun=NOUN[boat], adjectives=maker.rng.choice([0, 1]))
        maker.context = f"boat {verb} {boat}"
        maker.links.append(("bank-cue", "bank", ship.tag))
        return ship.english() + plain(verb) + bank.english(), ship.french() + plain(french) + bank.french()
    who = somebody(maker)
    if frame == "sat":
        seated = agreed("assis", who)
        start = plain("sat on"), plain(f"se {'sont' if who.plural else 'est'} {seated} sur")
    else:
        start = plain("fished from"), plain(f"{'ont' if who.plural else 'a'} pêché depuis")
    cue = _cue(maker, f"{frame} {water}", f"of the {water}", f"de {WATERS[water]}")
    return who.english() + start[0] + bank.english() + cue[0], who.french() + start[1] + bank.french() + cue[1]


def bank_with_money(maker: Maker) -> Pair:
    """The bank approved the loan. The bank was crowded near the station."""
    bank = _bank(maker, BANQUE)
    frame = maker.rng.choice(["deed", "deed", "town", "town", "errand", "put", "closed", "staff", "asked"])
    if frame == "deed":
        deed = maker.rng.choice(list(BANK_DEEDS))
        participle, things = BANK_DEEDS[deed]
        thing = maker.rng.choice(things)
        cue = _cue(maker, f"{deed} {thing}", f"{deed} {thing}", f"a {participle} {BUSINESS[thing]}")
        end = tail(maker, "past") if maker.chance(0.25) else ([], [])
        return bank.english() + cue[0] + end[0], bank.french() + cue[1] + end[1]
    if frame == "town":
        told = _neutral(maker, bank)
        site = maker.rng.choice(TOWN)
        preposition, fr = maker.rng.choice([("near", "près de"), ("next to", "à côté de"), ("in front of", "devant")])
        article = "la" if NOUN[site].gender == "f" else "le"
        cue = _cue(maker, f"{preposition} {site}", f"{preposition} the {site}", f"{fr} {article} {NOUN[site].french}")
        return bank.english() + told[0] + cue[0], bank.french() + told[1] + cue[1]
    if frame == "closed":
        day = maker.rng.choice(list(words.DAYS))
        state, french = maker.rng.choice([("closed", "fermée"), ("open", "ouverte"), ("crowded", "bondée")])
        past = maker.chance(0.6)
        cue = _cue(maker, f"{state} {day}", f"on {day}", words.DAYS[day])
        return (
            bank.english() + plain(f"{'was' if past else 'is'} {state}") + cue[0],
            bank.french() + plain(f"{'était' if past else 'est'} {french}") + cue[1],
        )
    if frame == "staff":
        staff = maker.rng.choice(list(STAFF))
        verb, french = maker.rng.choice([("works in", "travaille dans"), ("worked in", "a travaillé dans"),
                                         ("waited in", "a attendu dans"), ("is in", "est dans")])
        cue = _cue(maker, f"{staff} {verb}", f"the {staff}", STAFF[staff])
        return cue[0] + plain(verb) + bank.english(), cue[1] + plain(french) + bank.french()
    who = somebody(maker, ("human", "person"))
    if frame == "errand":
        errand = maker.rng.choice(list(ERRANDS))
        infinitive, things = ERRANDS[errand]
        thing = maker.rng.choice(things)
        go = f"{'sont' if who.plural else 'est'} {agreed('allé', who)}"
        cue = _cue(maker, f"{errand} {thing}", f"to {errand} {thing}", f"pour {infinitive} {BUSINESS[thing]}")
        return (
            who.english() + plain("went to") + bank.english() + cue[0],
            who.french() + plain(f"{go} à") + bank.french() + cue[1],
        )
    if frame == "put":
        verb, participle, preposition, dans = maker.rng.choice([
            ("put", "mis", "in", "dans"), ("found", "trouvé", "in", "dans"), ("left", "laissé", "in", "dans"),
            ("lost", "perdu", "in", "dans"),
        ])
        thing = maker.rng.choice(["the money", "the check", "the card", "the coins"])
    else:
        verb, participle, preposition, dans = "asked for", "demandé", "at", "à"
        thing = maker.rng.choice(["the loan", "the money", "the card", "the check"])
    a = "ont" if who.plural else "a"
    cue = _cue(maker, f"{frame} {verb} {thing}", f"{verb} {thing}", f"{a} {participle} {BUSINESS[thing]}")
    return (
        who.english() + cue[0] + plain(preposition) + bank.english(),
        who.french() + cue[1] + plain(dans) + bank.french(),
    )


def bank_undecided(maker: Maker) -> Pair:
    """The bank was quiet. Either bank; which one is drawn by lot."""
    bank = _bank(maker, maker.rng.choice([RIVE, BANQUE]))
    draw = maker.rng.random()
    if draw < 0.7:
        told = _neutral(maker, bank)
        return bank.english() + told[0], bank.french() + told[1]
    if draw < 0.85:
        who = somebody(maker, ("human", "person"))
        told = verb_phrase(maker, who, VERB[maker.rng.choice(["see", "like", "paint"])], "past", False)
        return who.english() + told[0] + bank.english(), who.french() + told[1] + bank.french()
    return plain("where is") + bank.english(), plain("où est") + bank.french()


# Bat: the animal or the stick of a game.

CHAUVE_SOURIS = Noun("bat", "bats", "chauve-souris", "chauves-souris", "f", "bat")
BATTE = Noun("bat", "bats", "batte", "battes", "f", "bat")
HAUNTS = {
    "the cave": "la grotte", "the night": "la nuit", "the forest": "la forêt", "the dark tower": "la tour sombre",
    "the castle": "le château", "the church": "la église", "the garden": "le jardin", "the tree": "le arbre",
}
INSECTS = {
    "an insect": "un insecte", "a butterfly": "un papillon", "a spider": "une araignée", "a cherry": "une cerise",
    "a peach": "une pêche",
}


def bat(maker: Maker) -> Pair:
    """The small bat flew in the night. The boy hit the ball with the bat."""
    plural = maker.chance(0.2)
    flying = maker.chance(0.5)
    noun = CHAUVE_SOURIS if flying else BATTE
    adjectives = "small big black old strange" if flying else "new old heavy long big"
    chosen = [ADJECTIVE[maker.rng.choice(adjectives.split())]] if maker.chance(0.4) else []
    determiner = maker.rng.choice(["the", "the", "the", "this", "a" if flying else "my"])
    bats = NounPhrase(noun, plural, determiner, chosen, maker.tag("n"))
    if flying:
        draw = maker.rng.random()
        if draw < 0.65:
            base = maker.rng.choice(["fly", "sleep"])
            tense = maker.rng.choice(["past", "present", "progressive", "was-doing"])
            told = verb_phrase(maker, bats, VERB[base], tense, False)
            haunt = maker.rng.choice(list(HAUNTS))
            return (
                bats.english() + told[0] + plain(f"in {haunt}"),
                bats.french() + told[1] + plain(f"dans {HAUNTS[haunt]}"),
            )
        verb = VERB[maker.rng.choice(["eat", "catch"])]
        told = verb_phrase(maker, bats, verb, maker.rng.choice(["past", "progressive"]), False)
        insect = maker.rng.choice(list(INSECTS))
        return bats.english() + told[0] + plain(insect), bats.french() + told[1] + plain(INSECTS[insect])
    if maker.chance(0.4):
        was, etait = be(bats, past=maker.chance(0.6))
        return bats.english() + plain(f"{was} made of wood"), bats.french() + plain(f"{etait} en bois")
    who = somebody(maker, ("human", "person"))
    draw = maker.rng.random()
    a = "ont" if who.plural else "a"
    if draw < 0.5:
        return (who.english() + plain("hit the ball with") + bats.english(),
                who.french() + plain(f"{a} frappé la balle avec") + bats.french())
    game, jeu = maker.rng.choice([("during the game", "pendant le jeu"), ("after the game", "après le jeu"),
                                  ("before the game", "avant le jeu")])
    told = verb_phrase(maker, who, VERB[maker.rng.choice(["lose", "buy", "find", "forget", "take"])], "past", False)
    return who.english() + told[0] + bats.english() + plain(game), who.french() + told[1] + bats.french() + plain(jeu)


SENSES = {because: 14, bank_by_water: 6, bank_with_money: 6, bank_undecided: 2, bat: 4}
