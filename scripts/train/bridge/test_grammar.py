"""What the grammar promises of its French and of its held-out sets.

Run: python3 -m unittest discover -s scripts/train/bridge
"""

import random
import re
import unittest

import corpus
import lexicon
import phrases
import senses
from spelling import Word, settle_english, settle_french, words, written


def french(line: str) -> str:
    return written(settle_french(words(line)), ".", capital=True)[0]


class Forms(unittest.TestCase):
    def test_enough_words(self):
        lists = [lexicon.NOUN, lexicon.ADJECTIVE, lexicon.VERB]
        self.assertGreaterEqual(sum(map(len, lists)), 400)

    def test_french_nouns(self):
        plurals = {"horse": "chevaux", "owl": "hiboux", "hat": "chapeaux", "mouse": "souris", "kite": "cerfs-volants",
                   "newspaper": "journaux", "grandmother": "grands-mères", "bus": "bus"}
        for english, expected in plurals.items():
            self.assertEqual(lexicon.NOUN[english].french_plural, expected)

    def test_english_forms(self):
        for noun, many in {"box": "boxes", "story": "stories", "toy": "toys", "knife": "knives"}.items():
            self.assertEqual(lexicon.NOUN[noun].english_plural, many)
        for base, forms in {"carry": ("carries", "carried", "carrying"), "buy": ("buys", "bought", "buying"),
                            "wash": ("washes", "washed", "washing"), "use": ("uses", "used", "using"),
                            "look_for": ("looks_for", "looked_for", "looking_for")}.items():
            verb = lexicon.VERB[base]
            self.assertEqual((verb.third, verb.past, verb.ing), forms)

    def test_adjectives(self):
        forms = {"white": "blanc blanche blancs blanches", "happy": "heureux heureuse heureux heureuses",
                 "beautiful": "beau belle beaux belles", "gray": "gris grise gris grises",
                 "red": "rouge rouge rouges rouges", "long": "long longue longs longues"}
        for english, expected in forms.items():
            self.assertEqual(" ".join(lexicon.ADJECTIVE[english].forms), expected)

    def test_the_imperfect_keeps_its_sound(self):
        self.assertEqual(lexicon.VERB["swim"].imperfect(plural=False), "nageait")
        self.assertEqual(lexicon.VERB["sleep"].imperfect(plural=True), "dormaient")


class Spelling(unittest.TestCase):
    def test_elision_and_contraction(self):
        cases = {
            "le arbre": "L'arbre.", "la école de le roi": "L'école du roi.",
            "le hibou de les amis": "Le hibou des amis.",
            "il donne à le enfant": "Il donne à l'enfant.", "à les enfants": "Aux enfants.", "de Anna": "D'Anna.",
            "il ne a pas": "Il n'a pas.", "parce que elle": "Parce qu'elle.", "je adore": "J'adore.",
            "ma amie": "Mon amie.", "ce homme": "Cet homme.", "il ne y a pas de eau": "Il n'y a pas d'eau.",
            "ce hamster": "Ce hamster.", "beaucoup de oranges": "Beaucoup d'oranges.",
        }
        for line, expected in cases.items():
            self.assertEqual(french(line), expected)

    def test_a_and_an(self):
        text = [word.text for word in settle_english(words("a apple a useful key a old hat"))]
        self.assertEqual(" ".join(text), "an apple a useful key an old hat")

    def test_spans_cover_their_words(self):
        line = [Word("Anna"), Word("'s"), Word("cat"), Word(","), Word("did"), Word("n't")]
        text, spans = written(line, ".", capital=True)
        self.assertEqual(text, "Anna's cat, did n't.")
        self.assertEqual([text[first:last] for first, last in spans], [word.text for word in line])


class NounPhrases(unittest.TestCase):
    def phrase(self, noun, determiner="the", plural=False, adjectives=(), **options):
        chosen = [lexicon.ADJECTIVE[each] for each in adjectives]
        return phrases.NounPhrase(lexicon.NOUN[noun], plural, determiner, chosen, "n", **options)

    def said(self, phrase, negated=False):
        english = written(settle_english(phrase.english(negated)), "", capital=False)[0]
        return english, written(settle_french(phrase.french(negated)), "", capital=False)[0]

    def test_agreement_and_place_of_adjectives(self):
        self.assertEqual(self.said(self.phrase("cat", "a", adjectives=["old", "black"])),
                         ("an old black cat", "un vieux chat noir"))
        self.assertEqual(self.said(self.phrase("friend", adjectives=["old"])), ("the old friend", "le vieil ami"))
        self.assertEqual(self.said(self.phrase("house", "my", True, ["white"])),
                         ("my white houses", "mes maisons blanches"))
        self.assertEqual(self.said(self.phrase("flower", "a", True, ["beautiful"])),
                         ("some beautiful flowers", "de belles fleurs"))

    def test_some_any_and_all(self):
        self.assertEqual(self.said(self.phrase("water", "a")), ("some water", "de l'eau"))
        self.assertEqual(self.said(self.phrase("water", "a"), negated=True), ("any water", "d'eau"))
        self.assertEqual(self.said(self.phrase("apple", "a", True, bare=True)), ("apples", "des pommes"))
        self.assertEqual(self.said(self.phrase("apple", "all", True)), ("apples", "les pommes"))

    def test_numbers(self):
        self.assertEqual(self.said(self.phrase("bird", "three", True)), ("three birds", "trois oiseaux"))
        self.assertEqual(self.said(self.phrase("bird", "27", True)), ("27 birds", "27 oiseaux"))


class Sentences(unittest.TestCase):
    def setUp(self):
        rng = random.Random(11)
        self.made = {kind: [corpus.sentence(rng, kind) for _ in range(150)] for kind in corpus.KINDS}

    def test_no_unsettled_french(self):
        wrong = re.compile(
            r"\b(?:de le|de les|à le|à les|ma [aeiouéèê]|ce homme)\b|\b(?:le|la|de|ne|que|je|se|me) [aeiouéèêâœ]"
            r"|[a-z]' | [,.']|  |_", re.IGNORECASE)
        for made in self.made.values():
            for one in made:
                self.assertIsNone(wrong.search(one.target()[0]), one.target()[0])
                self.assertIsNone(re.search(r"\ba [aeio]|  |_| [,.']", one.source()[0]), one.source()[0])

    def test_tags_agree(self):
        """Nouns and adjectives that carry a tag in English carry it in French too, and links name words that exist."""
        for made in self.made.values():
            for one in made:
                english, other = {word.tag for word in one.english}, {word.tag for word in one.french}
                for tag in english:
                    if re.match(r"n\d+", tag):
                        self.assertIn(tag, other, one.source()[0])

    def test_one_english_sentence_has_one_translation(self):
        for kind, made in self.made.items():
            if kind is corpus.bank_undecided:
                continue
            told = {}
            for one in made:
                self.assertEqual(told.setdefault(one.source()[0], one.target()[0]), one.target()[0])

    def test_bank_is_rive_by_water_and_banque_with_money(self):
        for one in self.made[senses.bank_by_water]:
            self.assertIn("rive", one.target()[0].split(" rivière")[0] + " ")
            self.assertNotIn("banque", one.target()[0])
        for one in self.made[senses.bank_with_money]:
            self.assertIn("banque", one.target()[0])
        undecided = [one.target()[0] for one in self.made[senses.bank_undecided]]
        share = sum("banque" in text for text in undecided) / len(undecided)
        self.assertTrue(0.35 < share < 0.65, share)

    def test_it_follows_the_sense(self):
        for one in self.made[senses.because]:
            pronoun = next(word for word in one.french if word.tag.startswith("p"))
            (antecedent,) = [to for pattern, start, to in one.links if pattern == "pronoun-antecedent"]
            noun = next(word.text for word in one.french if word.tag == antecedent)
            found = next(each for each in lexicon.NOUN.values() if noun in (each.french, each.french_plural))
            self.assertEqual(pronoun.text.startswith("elle"), found.gender == "f", one.target()[0])


class HeldOut(unittest.TestCase):
    def test_training_meets_nothing_that_is_held_out(self):
        rng = random.Random(2)
        for _ in range(1000):
            one = corpus.for_training(rng)
            self.assertFalse(one.has_held_out_pair or one.has_held_out_context)
            self.assertFalse(one.held_out and one.kind != "bank_undecided")

    def test_every_kind_has_held_out_sentences(self):
        rng = random.Random(3)
        for kind in corpus.KINDS:
            made = corpus.held_out(rng, kind, 20)
            self.assertEqual(len(made), 20, kind.__name__)
            self.assertTrue(all(one.held_out for one in made))

    def test_pairs_and_contexts_can_be_asked_for(self):
        rng = random.Random(4)
        self.assertEqual(len(corpus.with_held_out_pair(rng, 50)), 50)
        for kind in (senses.bank_by_water, senses.bank_with_money):
            self.assertEqual(len(corpus.with_held_out_context(rng, kind, 50)), 50)

    def test_every_cue_is_trained_in_some_context(self):
        rng = random.Random(5)
        for kind in (senses.bank_by_water, senses.bank_with_money):
            cues, trained = set(), set()
            for _ in range(2500):
                context = corpus.sentence(rng, kind).context
                cues.add(context.split()[-1])
                if not senses.is_held_out_context(context):
                    trained.add(context.split()[-1])
            self.assertEqual(cues, trained)


if __name__ == "__main__":
    unittest.main()
