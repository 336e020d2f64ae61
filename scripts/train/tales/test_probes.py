"""The probes' gold positions stand on the words that they mean."""

import random
import unittest

import probes
import words


def at(probe, span):
    return probe.text[span[0]: span[1]]


class GoldPositions(unittest.TestCase):
    def test_words_and_gold_are_of_their_kinds(self):
        things, animals = set(words.TOYS), set(words.ANIMALS + words.BIG_ANIMALS)
        many = things | animals | {words.plural(noun) for noun in things | animals}
        kinds = {
            probes.pronoun_to_antecedent: ({"he", "she", "him", "her"}, set(words.GIRLS + words.BOYS)),
            probes.it_to_antecedent: (set(words.ANIMAL_STATES + words.WAY_STATES), animals | set(words.WAYS)),
            probes.noun_to_adjective: (things, set(words.COLORS)),
            probes.subject_to_verb: ({"is", "are", "was", "were"}, many),
            probes.question_to_fact: ({"his", "her"}, things),
        }
        for pattern, (looking, looked_at) in kinds.items():
            found = pattern(random.Random(1), 20)
            self.assertGreater(len(found), 15, pattern.__name__)
            for probe in found:
                self.assertIn(at(probe, probe.word), looking)
                for span in probe.gold:
                    self.assertIn(at(probe, span), looked_at, probe)
                    self.assertLess(span[1], probe.word[0])

    def test_a_pronoun_agrees_with_its_antecedent(self):
        for probe in probes.pronoun_to_antecedent(random.Random(2), 40):
            names = words.GIRLS if at(probe, probe.word) in ("she", "her") else words.BOYS
            for span in probe.gold:
                self.assertIn(at(probe, span), names)

    def test_an_entity_is_looked_for_under_its_own_name(self):
        for probe in probes.entity_over_sentences(random.Random(3), 20):
            self.assertEqual({at(probe, span) for span in probe.gold}, {at(probe, probe.word)})

    def test_the_reason_belongs_to_what_it_is_said_of(self):
        for probe in probes.it_to_antecedent(random.Random(4), 40):
            of_animal = at(probe, probe.word) in words.ANIMAL_STATES
            self.assertEqual(at(probe, probe.gold[0]) not in words.WAYS, of_animal, probe)


class Choices(unittest.TestCase):
    def test_the_right_word_is_never_among_the_wrong(self):
        made = [probes.agreement_choices(random.Random(1), 20), probes.sense_choices(random.Random(1), 20)]
        made += [probes.recall_choices(random.Random(1), form, 5) for form in probes.RECALL_FORMS]
        for choice in sum(made, []):
            self.assertNotIn(choice.right, choice.wrong)
            self.assertFalse(choice.text.endswith(" "))

    def test_both_owners_are_asked_about(self):
        first = 0
        for choice in probes.recall_choices(random.Random(1), "the issue's form", 40):
            first += choice.text.index(choice.right) < choice.text.index(choice.wrong[0])
        self.assertTrue(8 < first < 32, first)


if __name__ == "__main__":
    unittest.main()
