"""Word lists of the English-French grammar, and nothing else: lexicon.py gives them their forms.

A noun is `english french gender`, with `/plural` where the regular plural would be wrong; an adjective is `english
french [feminine [masculine-plural]]`; a verb is `base [past [-ing]] : infinitive [third-singular third-plural
participle]`, regular forms left out. Next: lexicon.py.
"""

NOUNS = {
    "animal": """cat chat m, dog chien m, horse cheval m, cow vache f, bird oiseau m, mouse/mice souris f,
rabbit lapin m, turtle tortue f, lion lion m, bear ours m, wolf/wolves loup m, fox renard m, duck canard m,
hen poule f, pig cochon m, goat chèvre f, donkey âne m, monkey singe m, elephant éléphant m, frog grenouille f,
snake serpent m, bee abeille f, spider araignée f, butterfly papillon m, owl hibou/hiboux m, squirrel écureuil m,
tiger tigre m, giraffe girafe f, hamster hamster m, ant fourmi f, animal animal m, swan cygne m, snail escargot m,
camel chameau m""",
    "human": """man/men homme m, woman/women femme f, boy garçon m, girl fille f, king roi m, queen reine f,
farmer fermier m, nurse infirmière f, baker boulanger m, prince prince m, princess princesse f, sailor marin m,
brother frère m, sister sœur f, uncle oncle m, aunt tante f, mother mère f, father père m,
grandmother grand-mère/grands-mères f, grandfather grand-père/grands-pères m, lady dame f, witch sorcière f,
actress actrice f, waitress serveuse f, soldier soldat m, judge juge m, thief/thieves voleur m""",
    # People whose French word has one gender whatever their own: no "he" or "she" stands for them.
    "person": """teacher professeur m, child/children enfant m, friend ami m, student étudiant m, doctor médecin m,
neighbor voisin m, baby bébé m, writer écrivain m, painter peintre m, tourist touriste m, singer chanteur m,
customer client m""",
    "place": """house maison f, garden jardin m, school école f, church église f, hotel hôtel m, kitchen cuisine f,
market marché m, forest forêt f, station gare f, park parc m, museum musée m, library bibliothèque f,
hospital hôpital m, castle château m, village village m, city ville f, farm ferme f, shop magasin m,
restaurant restaurant m, theater théâtre m, beach plage f, island île f, mountain montagne f, valley vallée f,
office bureau m, factory usine f, bakery boulangerie f, tower tour f, palace palais m, cave grotte f,
prison prison f, airport aéroport m, harbor port m, stable écurie f, bedroom chambre f""",
    "way": """street rue f, road route f, bridge pont m, river rivière f, field champ m, path chemin m,
square place f, lake lac m, canal canal m, stream ruisseau m, avenue avenue f""",
    "thing": """key clé f, bottle bouteille f, cup tasse f, plate assiette f, knife/knives couteau m,
spoon cuillère f, fork fourchette f, pen stylo m, pencil crayon m, painting tableau m, photo photo f, map carte f,
flower fleur f, ball balle f, doll poupée f, toy jouet m, kite cerf-volant/cerfs-volants m, drum tambour m,
guitar guitare f, piano piano m, violin violon m, umbrella parapluie m, watch montre f, clock horloge f,
ring bague f, mirror miroir m, lamp lampe f, candle bougie f, phone téléphone m, computer ordinateur m,
ticket billet m, coin pièce f, stone pierre f, stick bâton m, rope corde f, ladder échelle f, hammer marteau m,
needle aiguille f, blanket couverture f, pillow oreiller m, towel serviette f, brush brosse f, comb peigne m,
wheel roue f""",
    "text": "book livre m, letter lettre f, newspaper journal m, story histoire f, poem poème m",
    "clothes": """hat chapeau m, shirt chemise f, coat manteau m, dress robe f, shoe chaussure f,
scarf/scarves écharpe f, glove gant m, sock chaussette f, jacket veste f, skirt jupe f""",
    "container": """box boîte f, bag sac m, basket panier m, suitcase valise f, drawer tiroir m, bucket seau m""",
    "furniture": """table table f, chair chaise f, bed lit m, sofa canapé m, shelf/shelves étagère f, desk bureau m,
mat tapis m, wall mur m, roof toit m, bench banc m, floor sol m""",
    "opening": "door porte f, window fenêtre f",
    "vehicle": """car voiture f, boat bateau m, train train m, bus bus m, bicycle vélo m, plane avion m,
truck camion m, ship navire m""",
    "plant": "tree arbre m, leaf/leaves feuille f, rose rose f, bush buisson m",
    "food": """apple pomme f, cake gâteau m, egg œuf m, orange orange f, pear poire f, carrot carotte f,
banana banane f, tomato/tomatoes tomate f, cherry cerise f, strawberry fraise f, peach pêche f, onion oignon m,
cookie biscuit m, sandwich sandwich m, pizza pizza f, lemon citron m, mushroom champignon m, pie tarte f""",
    # Stuff: no plural is used, and "some" is du, de la or de l'.
    "meal": """bread pain m, cheese fromage m, soup soupe f, butter beurre m, meat viande f, rice riz m, honey miel m,
chocolate chocolat m, jam confiture f""",
    "drink": "milk lait m, water eau f, tea thé m, coffee café m, juice jus m",
}

ADJECTIVES = """red rouge, black noir, white blanc blanche, green vert, blue bleu, yellow jaune, gray gris,
purple violet violette, heavy lourd, light léger légère, expensive cher chère, clean propre, dirty sale,
happy heureux heureuse, sad triste, tired fatigué, hungry affamé, thirsty assoiffé, scared effrayé,
angry furieux furieuse, intelligent intelligent, quiet tranquille, noisy bruyant, sick malade, strong fort,
weak faible, fast rapide, slow lent, brave courageux courageuse, lazy paresseux paresseuse, kind gentil gentille,
polite poli, rich riche, poor pauvre, famous célèbre, strange étrange, funny drôle, serious sérieux sérieuse,
shy timide, curious curieux curieuse, proud fier fière, dangerous dangereux dangereuse, wide large, narrow étroit,
dark sombre, deep profond, empty vide, full plein, open ouvert, closed fermé, broken cassé, wet mouillé,
dry sec sèche, cold froid, hot chaud, fresh frais fraîche, sweet sucré, salty salé, delicious délicieux délicieuse,
round rond, soft doux douce, hard dur, modern moderne, wild sauvage, thin maigre, elegant élégant,
comfortable confortable, useful utile, simple simple, difficult difficile, magic magique, golden doré, lost perdu,
crowded bondé, muddy boueux boueuse, big grand, small petit, old vieux vieille, new nouveau nouvelle,
beautiful beau belle, good bon bonne, bad mauvais, young jeune, pretty joli, long long longue"""
BEFORE_NOUN = "big small old new beautiful good bad young pretty long".split()
BEFORE_VOWEL = {"vieux": "vieil", "nouveau": "nouvel", "beau": "bel"}

_LIVING = "big small old young beautiful strong weak fast slow sick happy sad tired hungry thirsty scared intelligent"
_PEOPLE = """angry brave lazy kind polite rich poor famous strange funny serious shy curious proud good bad elegant
lost pretty"""
_COLORS = "red black white green blue yellow gray purple"
_GOODS = f"""{_COLORS} big small old new beautiful heavy light expensive clean dirty strange useful pretty broken
golden lost"""
UNDER = "table chair bed bench desk tree bush bridge".split()
ON = "table chair bed sofa shelf desk mat wall roof bench floor box".split()
FITTING = {
    "animal": f"{_LIVING} black white gray wild dangerous curious quiet lazy noisy strange thin brave".split(),
    "human": f"{_LIVING} {_PEOPLE}".split(),
    "person": f"{_LIVING} {_PEOPLE}".split(),
    "place": """red white big small old new beautiful clean dirty quiet noisy dark empty modern famous strange crowded
pretty expensive""".split(),
    "way": "big small old new beautiful clean dirty quiet long wide narrow dangerous dark famous".split(),
    "thing": f"{_GOODS} magic round".split(),
    "text": "big small old new beautiful good bad long funny sad serious strange famous simple difficult lost".split(),
    "clothes": f"{_COLORS} big small old new beautiful expensive clean dirty wet dry elegant pretty soft".split(),
    "container": f"{_COLORS} big small old new heavy light empty full open closed useful".split(),
    "furniture": f"{_COLORS} big small old new beautiful clean dirty comfortable hard modern wet".split(),
    "opening": f"{_COLORS} big small old new open closed dirty clean broken".split(),
    "vehicle": f"{_COLORS} big small old new beautiful expensive fast slow clean dirty modern empty full".split(),
    "plant": "big small old beautiful green red yellow white dry pretty".split(),
    "food": "big small good bad fresh delicious sweet expensive red green yellow".split(),
    "meal": "good bad fresh delicious hot cold expensive salty sweet".split(),
    "drink": "good bad fresh delicious hot cold expensive".split(),
    "unknown": "big small old new beautiful red black blue green strange".split(),
}
COMPARED = {
    "big": "bigger", "small": "smaller", "old": "older", "young": "younger", "fast": "faster", "slow": "slower",
    "strong": "stronger", "weak": "weaker", "rich": "richer", "poor": "poorer", "heavy": "heavier", "long": "longer",
}

# Verb: what its object may be. Those of ANIMALS_TOO take an animal for subject as well.
TRANSITIVE = """
see saw seeing : voir voit voient vu = animal human person place thing clothes vehicle plant
like : aimer = animal human person thing food meal drink clothes place
love : adorer = animal human person thing food meal drink clothes
hate : détester = animal human food meal drink clothes
watch : regarder = animal human person vehicle plant
hear heard hearing : entendre entend entendent entendu = animal human person
follow : suivre suit suivent suivi = animal human person vehicle
find found finding : trouver = animal thing text clothes container
catch caught catching : attraper = animal
help : aider = human person animal
eat ate eating : manger = food meal
drink drank drinking : boire boit boivent bu = drink
buy bought buying : acheter achète achètent acheté = thing text clothes container furniture vehicle food meal drink
sell sold selling : vendre vend vendent vendu = thing text clothes container furniture vehicle food meal
want : vouloir veut veulent voulu = thing text clothes container food meal drink
have had having : avoir a ont eu = animal thing text clothes container vehicle
take took taking : prendre prend prennent pris = thing text clothes container food
bring brought bringing : apporter = thing text clothes container food meal drink
carry : porter = thing clothes container food
lose lost losing : perdre perd perdent perdu = thing text clothes container
hide hid hiding : cacher = thing text clothes container food
choose chose choosing : choisir choisit choisissent choisi = thing text clothes container vehicle food
keep kept keeping : garder = thing text clothes container
wash : laver = clothes vehicle animal opening thing
clean : nettoyer nettoie nettoient nettoyé = furniture opening vehicle place clothes
open : ouvrir ouvre ouvrent ouvert = container opening text
close : fermer = container opening text
push : pousser = vehicle furniture container opening
touch : toucher = animal thing furniture plant
paint : peindre peint peignent peint = furniture opening plant place
draw drew drawing : dessiner = animal plant vehicle place
repair : réparer = vehicle thing clothes furniture
read read reading : lire lit lisent lu = text
write wrote writing : écrire écrit écrivent écrit = text
forget forgot forgetting : oublier = text thing clothes container
visit : visiter = place
build built building : construire construit construisent construit = place vehicle furniture
leave left leaving : quitter = place
cross : traverser = way
use : utiliser = thing vehicle
cook : cuisiner = meal food
cut cut cutting : couper = food meal plant
know knew knowing : connaître connaît connaissent connu = human person place
thank : remercier = human person
greet : saluer = human person
call : appeler appelle appellent appelé = human person animal
look_for looked_for looking_for : chercher = animal human thing text clothes container
listen_to listened_to listening_to : écouter = human person animal
wait_for waited_for waiting_for : attendre attend attendent attendu = human person vehicle
"""
ANIMALS_TOO = "see like watch hear follow find catch eat drink carry push hide touch cross look_for wait_for".split()
# The animals, people and places that may be called "my"; of other kinds anything may.
OWNED = """cat dog horse cow rabbit turtle duck hen pig goat donkey bird mouse hamster animal
brother sister uncle aunt mother father grandmother grandfather friend teacher student doctor neighbor baby child
house garden school kitchen bedroom office farm shop village city bakery factory""".split()
# These say what somebody thinks or has, so "is doing" sounds wrong.
STATES = "see like love hate want have know hear forget".split()
# Their past is the French imperfect, of the third person alone.
FEELINGS = "like love hate".split()
LASTING = {"like": "aim", "love": "ador", "hate": "détest", "want": "voul", "have": "av", "know": "connaiss"}

# Their "was doing" is the French imperfect: stem + ait or aient.
INTRANSITIVE = """
sleep slept sleeping : dormir dort dorment dormi
run ran running : courir court courent couru
sing sang singing : chanter
work : travailler
walk : marcher
swim swam swimming : nager
dance : danser
play : jouer
cry : pleurer
laugh : rire rit rient ri
smile : sourire sourit sourient souri
jump : sauter
fly flew flying : voler
talk : parler
travel : voyager
dream : rêver
"""
ONLY_PEOPLE = "sing work dance cry laugh smile talk travel dream".split()
WINGED = "bird duck bee butterfly owl swan".split()
# With être: their participle agrees with the subject.
MOTION = """
go went going : aller va vont allé
come came coming : venir vient viennent venu
arrive : arriver
stay : rester
return : revenir revient reviennent revenu
fall fell falling : tomber
"""
GIVING = """
give gave giving : donner
show : montrer
send sent sending : envoyer envoie envoient envoyé
lend lent lending : prêter
offer : offrir offre offrent offert
"""

GIRLS = "Anna Lucy Mary Emma Sara Julia Nina Clara Alice Rose".split()
BOYS = "Tom Paul Peter Ben Max Leo Jack Adam Oscar Felix".split()
NUMBERS = {"two": "deux", "three": "trois", "four": "quatre", "five": "cinq", "six": "six", "ten": "dix"}
DAYS = {
    "Monday": "lundi", "Tuesday": "mardi", "Wednesday": "mercredi", "Thursday": "jeudi", "Friday": "vendredi",
    "Saturday": "samedi", "Sunday": "dimanche",
}
MANNERS = {"slowly": "lentement", "quickly": "rapidement", "quietly": "doucement", "often": "souvent"}
TIMES = {
    "in the morning": "le matin", "in the evening": "le soir", "at night": "la nuit", "every day": "tous les jours",
    "in the summer": "en été", "in the winter": "en hiver", "today": "aujourd'hui",
}
PAST_TIMES = {
    "yesterday": "hier", "last night": "hier soir", "this morning": "ce matin", "last week": "la semaine dernière",
}
